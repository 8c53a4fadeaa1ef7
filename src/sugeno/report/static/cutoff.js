// A cut-off of the probability that can be moved: errors and costs that follow from it.

const sum = (list) => list.reduce((total, weight) => total + weight, 0);

/** Rows are counted as found from the k-th probability on; decisions above are made at `cut`. */
function cutOff(box) {
  const b = Number(box.dataset.boundary);
  const { chances, below, above, cut, points } = data.grades[b];
  const name = isTwo ? accepted : `at least ${names[b + 1]}`;
  const positives = sum(above);
  const decided = chances.filter((chance) => chance <= cut).length;
  const dot = box.previousElementSibling.querySelector("circle.cut");
  const costs = { missed: data.grades[b].costs[0], alarm: data.grades[b].costs[1] };
  const at = (k) => {
    const [alarms, found] = [sum(below.slice(k)), sum(above.slice(k))];
    const missed = positives - found;
    return { alarms, found, missed, cost: costs.missed * missed + costs.alarm * alarms };
  };
  const onCard = (chance) => {
    if (!points) return "";
    const least = points.findIndex((one) => one >= chance);
    return least < 0 ? ", which no number of points has" : `, here ${amount(least)} ${least === 1 ? "point" : "points"}`;
  };
  const range = make("input", { type: "range", min: 0, max: chances.length, step: 1, "aria-label": `Cut-off of ${name}`, oninput: () => draw() });
  const said = make("p", { class: "says" });
  const cells = Object.fromEntries(["recall", "precision", "missed", "false alarms", "cost"]
    .map((text) => [text, make("dd")]));
  const status = make("p", { class: "spoken", role: "status" });
  function draw() {
    const k = Number(range.value);
    const { alarms, found, missed, cost } = at(k);
    const flagged = alarms + found;
    const from = k < chances.length ? `from a probability of ${percent(chances[k])} on${onCard(chances[k])}` : "never";
    said.textContent = `${capital(name)} ${from}: ${amount(flagged)} rows. A missed one costs ${costs.missed}, a false alarm ${costs.alarm}.`;
    range.setAttribute("aria-valuetext", from);
    cells.recall.textContent = percent(found / positives);
    cells.precision.textContent = flagged ? percent(found / flagged) : "–";
    cells.missed.textContent = `${amount(missed)} of ${amount(positives)}`;
    cells["false alarms"].textContent = amount(alarms);
    cells.cost.textContent = k === decided ? amount(cost) : `${amount(cost)} (as decided above: ${amount(at(decided).cost)})`;
    status.textContent = `recall ${cells.recall.textContent}, precision ${cells.precision.textContent}, cost ${amount(cost)}`;
    dot.setAttribute("cx", alarms / sum(below));
    dot.setAttribute("cy", found / positives);
  }
  const move = (k) => { range.value = k; draw(); };
  const price = (key, text) => make("label", {}, text, make("input", {
    type: "number", min: 0, step: "any", value: costs[key], oninput: (event) => {
      costs[key] = Math.max(0, Number(event.target.value) || 0);
      draw();
    },
  }));
  const cheapest = () => Array.from({ length: chances.length + 1 }, (_, k) => k)
    .reduce((best, k) => (at(k).cost < at(best).cost ? k : best), decided);
  box.append(make("h3", {}, "A cut-off that can be moved"), range, said,
    make("dl", { class: "counts" }, ...Object.entries(cells).map(([text, cell]) => make("div", {}, make("dt", {}, text), cell))), status,
    make("div", { class: "pick" }, price("missed", "a missed one costs "), price("alarm", "a false alarm costs "),
      make("button", { type: "button", onclick: () => move(cheapest()) }, "Cheapest"),
      make("button", { type: "button", onclick: () => move(decided) }, "As decided above")));
  move(decided);
}
document.querySelectorAll(".cutoff").forEach(cutOff);
