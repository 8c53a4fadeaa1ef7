// The table of rows.

const table = { by: "number", way: 1, page: 0, filter: "all", search: "", size: 20 };
const filters = {
  all: ["all rows", () => true],
  errors: ["errors", (row) => row.decision !== row.truth],
  over: [isTwo ? `wrongly ${accepted}` : "too high", (row) => row.decision > row.truth],
  under: [isTwo ? `wrongly ${refused}` : "too low", (row) => row.decision < row.truth],
  ...(isTwo ? {} : { far: ["off by two or more", (row) => Math.abs(row.decision - row.truth) > 1] }),
};
const columns = [
  ["number", "row", (row) => row.number, (row) => String(row.number)],
  ["decision", "decided", (row) => row.decision, (row) => names[row.decision]],
  ["truth", "in truth", (row) => row.truth, (row) => names[row.truth]],
  ["chance", "probability", (row) => row.chance, (row) => percent(row.chance)],
  told.by,
  ...order.map((c) => [c, criteria[c].name, (row) => row.x[c], (row) => shown(c, row.x[c])]),
];

// As many as fit beside each other; the panel has all.
const visible = columns.slice(0, 11);

const cellClass = (key) => (typeof key === "number" ? "count value" : key === "chance" ? "count" : null);

function matching() {
  const text = table.search.trim().toLowerCase();
  const [, value] = columns.find(([key]) => key === table.by).slice(1);
  return rows
    .filter(filters[table.filter][1])
    .filter((row) => !text || columns.some(([, , , shownAs]) => shownAs(row).toLowerCase() === text))
    .sort((a, b) => {
      const [p, q] = [value(a), value(b)];
      if (p === q || (Number.isNaN(p) && Number.isNaN(q))) return a.number - b.number;
      if (Number.isNaN(p)) return 1;
      if (Number.isNaN(q)) return -1;
      return p < q ? -table.way : table.way;
    });
}

function drawTable() {
  const found = matching();
  const last = Math.max(0, Math.ceil(found.length / table.size) - 1);
  table.page = Math.min(table.page, last);
  const from = table.page * table.size;
  const head = visible.map(([key, text]) => make("th", {
    scope: "col", class: cellClass(key),
    "aria-sort": table.by === key ? (table.way > 0 ? "ascending" : "descending") : null,
  }, make("button", {
    type: "button", "data-key": key, onclick: () => {
      table.way = table.by === key ? -table.way : 1;
      table.by = key;
      table.page = 0;
      drawTable();
      table.body.querySelector(`[data-key="${key}"]`).focus();
    },
  }, ...breakable(text))));
  const lines = found.slice(from, from + table.size).map((row) => make("tr", {
    class: row.decision === row.truth ? null : "wrong", onclick: () => show(row),
  }, ...visible.map(([key, , , shownAs], i) => {
    if (i === 0) return make("th", { scope: "row" }, make("button", { type: "button", "aria-label": `Open row ${row.number} in the panel` }, shownAs(row)));
    const side = key === "decision" ? row.decision : key === "truth" ? row.truth : null;
    return make("td", { class: side === null ? cellClass(key) : `swatch ${shade(side)}` }, shownAs(row));
  })));
  table.body.replaceChildren(make("table", { class: "plain rows" },
    make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...lines)));
  table.count.textContent = found.length ? `${from + 1}–${from + lines.length} of ${found.length}` : "no rows";
  table.previous.disabled = table.page === 0;
  table.next.disabled = table.page === last;
}

function buildTable() {
  const again = (change) => (event) => {
    change(event.target);
    drawTable();
  };
  table.body = make("div", { class: "wide", tabindex: 0, role: "region", "aria-label": "Rows" });
  table.count = make("span", { role: "status" });
  table.previous = make("button", { type: "button", onclick: again(() => { table.page -= 1; }) }, "‹ back");
  table.next = make("button", { type: "button", onclick: again(() => { table.page += 1; }) }, "more ›");
  table.choice = make("select", { id: "filter", onchange: again((box) => { table.filter = box.value; table.page = 0; }) },
    ...Object.entries(filters).map(([key, [text]]) => make("option", { value: key }, text)));
  const wrong = rows.filter(filters.errors[1]).length;
  document.getElementById("table").append(
    make("p", { class: "intro" }, `${step > 1 ? `Every ${nth(step)} row: ` : ""}${rows.length} rows, ${wrong} of them decided wrongly. ${visible.length < columns.length ? `${visible.length - 5} of ${order.length} criteria are shown. ` : ""}A click opens a row in the panel.`),
    make("div", { class: "pick" },
      make("label", {}, "Show ", table.choice),
      make("label", {}, "with the value ", make("input", { type: "search", size: 10, oninput: again((box) => { table.search = box.value; table.page = 0; }) }))),
    table.body,
    make("div", { class: "pick" }, table.previous, table.count, table.next),
  );
  drawTable();
}

/** Show the rows of one cell of the table of classes. */
function showCell(truth, decision) {
  filters.cell = [`${names[truth]}, decided ${names[decision]}`, (row) => row.truth === truth && row.decision === decision];
  table.choice.querySelector('[value="cell"]')?.remove();
  table.choice.append(make("option", { value: "cell" }, filters.cell[0]));
  table.choice.value = table.filter = "cell";
  table.page = 0;
  drawTable();
  document.getElementById("rows").scrollIntoView();
  table.choice.focus({ preventScroll: true });
}
