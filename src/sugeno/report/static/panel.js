// The panel: criteria to move, what is decided, why, and what would change it.

const panel = {};
const sliders = criteria.map((_, c) => slider(c));

function slider(c) {
  const { stops, even, low, high, labels, gaps } = criteria[c];
  const parts = { line: null, range: null, box: null, note: null, was: null, keep: null };
  const without = (code) => gaps.find((gap) => gap.code === code);
  const set = (given) => {
    const value = (without(Number.isNaN(given) ? null : given) || { place: given }).place;
    if (!refusesMissing || !Number.isNaN(value)) state.x = replaced(state.x, c, value);
    update();
  };
  const nearest = (value) => stops.reduce((best, stop) =>
    (Math.abs(stop - value) < Math.abs(best - value) ? stop : best), stops[0]);
  parts.range = make("input", {
    type: "range", min: even ? 0 : low, max: even ? Math.max(1, stops.length - 1) : high,
    step: even ? 1 : "any", "aria-label": criteria[c].name,
    oninput: () => {
      const at = Number(parts.range.value);
      set(even ? stops[Math.min(at, stops.length - 1)] : nearest(at));
    },
    onkeydown: (event) => {
      const ways = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 };
      if (even || !(event.key in ways)) return;
      event.preventDefault();
      const way = ways[event.key];
      const beyond = way > 0 ? stops.findIndex((s) => !(s <= state.x[c])) : stops.filter((s) => s < state.x[c]).length - 1;
      const place = (beyond < 0 && way > 0 ? stops.length - 1 : beyond) + way - Math.sign(way);
      set(stops[Math.min(stops.length - 1, Math.max(0, place))]);
    },
  });
  parts.box = labels
    ? make("select", { "aria-label": `${criteria[c].name}, value`, onchange: () => set(parts.box.value === "" ? NaN : Number(parts.box.value)) },
      ...(refusesMissing ? [] : [make("option", { value: "" }, "missing")]), ...labels.map((label, i) => make("option", { value: i }, label)))
    : make("input", {
      type: "text", inputmode: "decimal", list: gaps.length ? `gaps-${c}` : null, placeholder: refusesMissing ? null : "missing", autocomplete: "off", "aria-label": `${criteria[c].name}, value`,
      onchange: () => {
        const label = parts.box.value.trim();
        const gap = gaps.find((one) => one.label === label);
        const text = gap ? "" : label.replace(",", ".");
        const value = gap ? gap.code ?? NaN : text === "" ? NaN : Number(text);
        if (text !== "" && !Number.isFinite(value)) update();
        else set(value);
      },
    });
  parts.gaps = labels ? null : make("datalist", { id: `gaps-${c}` }, ...gaps.map(({ label }) => make("option", { value: label })));
  parts.keep = make("input", {
    type: "checkbox",
    onchange: () => {
      if (parts.keep.checked) state.kept.add(c);
      else state.kept.delete(c);
      update();
    },
  });
  parts.was = make("path", { class: "was" });
  const used = new Set(rules.flat());
  const marks = literals.flatMap((literal, i) => (twins[c].includes(literal.criterion) && used.has(i)
    ? [make("path", { class: "level", d: `M${100 * literal.place} -1V31` })] : []));
  const picture = make("svg", { class: "large", viewBox: "0 -1 100 32", preserveAspectRatio: "none", "aria-hidden": "true" },
    make("use", { href: `#h${c}` }), ...marks, parts.was);
  parts.note = make("p", { class: "alone" });
  const track = make("div", { class: "track" }, picture, parts.range);
  if (even) track.style.setProperty("--bars", stops.length);
  track.classList.toggle("even", even);
  parts.line = make("li", { class: "criterion" },
    make("div", { class: "top" }, make("span", { class: "name", dir: "auto" }, ...breakable(criteria[c].name)), parts.box, parts.gaps,
      make("label", { class: "keep" }, parts.keep, "keep")),
    track, parts.note);
  return parts;
}

function refreshSlider(c) {
  const parts = sliders[c];
  const { stops, even, low, high, labels } = criteria[c];
  const value = state.x[c];
  const place = fraction(c, value);
  parts.range.value = even ? Math.round(place * (stops.length - 1)) : low + place * (high - low);
  parts.range.setAttribute("aria-valuetext", shown(c, value));
  parts.box.value = Number.isNaN(value) || (labels && gapAt(c, value) >= 0) ? "" : labels ? String(value) : shown(c, value);
  parts.box.dataset.value = value;
  parts.keep.checked = state.kept.has(c);
  const isChanged = state.row && !Object.is(state.row.x[c], value);
  parts.line.classList.toggle("changed", Boolean(isChanged));
  const bars = stops.length;
  const before = state.row ? fraction(c, state.row.x[c]) : 0;
  const at = even ? (100 * (before * (bars - 1) + 0.5)) / bars : 100 * before;
  parts.was.setAttribute("d", isChanged ? `M${at} -1V31` : "");
  const was = isChanged ? `was ${shown(c, state.row.x[c])}; ` : "";
  parts.note.textContent = was + (c >= 0 && order.indexOf(c) < data.used ? alone(state.x, c) : twins[c].some((j) => literalsOf[j].length) ? "in no rule; moves the probability only" : "not asked for; changes nothing");
}

function build() {
  panel.decision = make("p", { class: "decision" });
  panel.chance = make("data", { class: "chance" });
  panel.meter = make("rect", { class: "right", height: 6 });
  panel.before = make("p", { class: "before" });
  panel.case = make("p", { class: "case" }); // on paper, in place of the sliders
  panel.brief = make("p", { class: "brief", "aria-hidden": "true" }); // beside the sliders on narrow screens
  panel.ways = (isTwo ? ["What would change it"] : ["What would lift it", "What would lower it"])
    .map((text) => [make("h3", {}, text), make("div", { class: "flips" })]);
  panel.parts = make("h3", {}, told.parts);
  panel.adds = adds && make("ol", { class: "adds" });
  panel.classes = isTwo ? [] : names.map(classLine);
  panel.boundaries = boundaries.map(boundaryBox);
  panel.number = make("input", {
    type: "number", min: 1, max: total, step, "aria-label": "Row number",
    onchange: () => open(rowNumbered(Number(panel.number.value))),
  });
  panel.reset = make("button", { type: "button", onclick: () => open(state.row || closest) }, "Reset");
  panel.missing = make("span", { class: "note" });
  const button = (text, label, way) => make("button", {
    type: "button", "aria-label": label,
    onclick: () => open(rows[Math.min(rows.length - 1, Math.max(0, rows.indexOf(state.row) + way))]),
  }, text);
  const idle = order.slice(data.used);
  const lists = [make("ul", { class: "sliders" }, ...order.slice(0, data.used).map((c) => sliders[c].line))];
  if (idle.length) {
    lists.push(make("details", {}, make("summary", {}, `${idle.length} more, ${told.idle}`),
      make("ul", { class: "sliders" }, ...idle.map((c) => sliders[c].line))));
  }
  document.getElementById("panel").append(
    make("div", { class: "pick" }, make("label", {}, "Row ", panel.number),
      button("‹", "Row before", -1), button("›", "Next row", 1), panel.reset, panel.missing),
    make("div", { class: "verdict" },
      make("div", { class: "headline" }, panel.decision, panel.chance,
        isTwo ? bar(panel.meter, make("path", { class: "half", d: "M50 0V6" }))
          : make("ul", { class: "classes", "aria-label": "Probabilities of the classes" }, ...panel.classes.map(({ line }) => line))),
      panel.before, panel.case, ...panel.ways.map((parts) => make("div", { class: "ways" }, ...parts)),
      panel.parts, panel.adds,
      ...panel.boundaries.map(({ box }) => box), ...(oneCard ? [panel.boundaries[0].chips] : [])),
    make("div", { class: "controls" }, ...lists, panel.brief),
  );
}

const bar = (...parts) => make("svg", { class: "bar", viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" },
  make("rect", { class: "ground", width: 100, height: 6 }), ...parts);

/** A class with its probability. */
function classLine(text, place) {
  const meter = make("rect", { class: shade(place), height: 6 });
  const share = make("data");
  return { meter, share, line: make("li", {}, make("span", { class: "name" }, text), bar(meter), share) };
}

/** The rules of a boundary; of several boundaries those next to the decision are open. */
function boundaryBox() {
  const chips = make("ol", { class: "chips" });
  const summary = make(oneCard ? "span" : "summary");
  if (oneCard) return { chips, summary, box: make("p", { class: "threshold" }, summary) };
  return { chips, summary, box: isTwo ? chips : make("details", { class: "boundary" }, summary, chips) };
}

function refreshBoundary(x, b, now) {
  const { chips, summary, box } = panel.boundaries[b];
  const passed = b < now;
  if (oneCard) {
    summary.replaceChildren(make("span", { class: passed ? "held" : "lacks" }, `at least ${names[b + 1]}`),
      ` from ${boundaries[b].needed} points`);
    if (b) return;
  }
  chips.replaceChildren(...boundaries[b].own.slice(0, isTwo ? 100 : 30).map((rule, r) => chip(rule, r, boundaries[b])));
  if (counted) panel.parts.textContent = `${score(x, boundaries[b])} points${isTwo ? `, ${boundaries[b].needed} are enough` : ""}`;
  if (isTwo || oneCard) return;
  const by = decisive(x, boundaries[b]).map((r) => r + 1);
  summary.replaceChildren(make("span", { class: passed ? "held" : "lacks" }, `at least ${names[b + 1]}`),
    passed ? `, by rule ${by.join(", ")}` : ", no rule holds");
  box.classList.toggle("passed", passed);
  if (panel.place !== now) box.open = b === now || b === now - 1;
}

/** Of a sum: what each criterion adds, from a case that reaches no level. */
function refreshAdds(x) {
  const found = adds(x);
  const boundary = shownBoundary(x);
  const largest = Math.max(...found.map(([, added]) => added), 1e-9);
  panel.adds.replaceChildren(...found.map(([c, added]) => make("li", {},
    make("span", { class: "name", dir: "auto" }, `${criteria[c].name} ${shown(c, x[c])}`),
    bar(make("rect", { class: "right", height: 6, width: (100 * added) / largest })),
    make("data", { value: added }, `+${added.toFixed(2)}`))),
  make("li", { class: "note" }, `${logOdds(boundary.constant).toFixed(2)} where no level is reached; together ${logOdds(sumOf(x, boundary)).toFixed(2)}, ${logOdds(boundary.needed).toFixed(2)} are needed`));
}

function refreshClasses(x, now) {
  const shares = chances(x);
  panel.classes.forEach(({ line, meter, share }, c) => {
    meter.setAttribute("width", 100 * shares[c]);
    share.value = String(shares[c]);
    share.textContent = percent(shares[c]);
    if (c === now) line.setAttribute("aria-current", "true");
    else line.removeAttribute("aria-current");
  });
}

/** What would change the decision: of two classes one way is left, of more there may be two. */
function refreshWays(x, kept, now) {
  panel.ways.forEach(([, box], i) => {
    const up = isTwo ? !now : i === 0;
    const ways = flips(x, kept, up);
    const end = now === (up ? highest : 0) ? `It is ${name(now)} already, the ${up ? "highest" : "lowest"} class.` : null;
    const note = end || (kept.size ? `Nothing, while ${kept.size} ${kept.size === 1 ? "is" : "are"} kept.`
      : isTwo ? "Nothing: all values that occur give the same." : "Nothing: no value that occurs does.");
    box.replaceChildren(...(ways?.length ? ways.map(flipButton)
      : [make("p", { class: "note" }, ways ? note : "None was found; there may be one.")]));
  });
}

function words(x, i) {
  const literal = literals[i];
  const value = x[literal.criterion];
  if (Number.isNaN(value) && holds(x, i)) return `${criteria[literal.criterion].name} is missing, read as the best`;
  // Between two observed values the printed number may decide otherwise: then the level itself.
  const printed = Number(literal.text.replace(/^[≥≤<>] /, ""));
  const misleads = !criteria[literal.criterion].labels && Number.isFinite(literal.level) && Number.isFinite(printed)
    && reaches(value, { ...literal, level: printed }) !== reaches(value, literal);
  return `${criteria[literal.criterion].name} ${misleads ? `${literal.up ? "≥" : "≤"} ${literal.level}` : literal.text}`;
}

function chip(rule, r, boundary) {
  const { x } = state;
  const on = isMet(x, rule, boundary);
  const rank = (i) => order.findIndex((c) => twins[c].includes(literals[i].criterion));
  const parts = rule.slice().sort((a, b) => rank(a) - rank(b)).map((i) => {
    const held = holds(x, i);
    const value = x[literals[i].criterion];
    const has = held || !accepts ? "" : ` (${Number.isNaN(value) || gapAt(literals[i].criterion, value) >= 0 ? "is" : "has"} ${shown(literals[i].criterion, value)})`;
    return make("span", { class: held ? "held" : "lacks" }, make("span", { class: "spoken" }, held ? "holds: " : "needs: "), words(x, i) + has);
  });
  return make("li", { class: on ? "chip on" : "chip" },
    make("span", { class: "number" }, counted ? `+${boundary.points[r]}` : String(r + 1)),
    make("span", { class: "spoken" }, on ? " holds: " : " does not hold: "),
    make("span", { class: "parts" }, ...parts));
}

function flipButton(z) {
  const text = changed(state.x, z).map((c) => `${criteria[c].name} ${shown(c, state.x[c])} → ${shown(c, z[c])}`).join(", ")
    + (isTwo ? "" : `: ${name(decide(z))}`);
  return make("button", {
    type: "button", class: "flip",
    onclick: () => {
      state.x = z.slice();
      update();
      panel.decision.closest(".verdict").querySelector("button")?.focus();
    },
  }, text);
}

let speaking = 0;
let edited = false; // a page that was only opened keeps its plain address
function update() {
  const { x, row, kept } = state;
  const now = decide(x);
  const chance = probability(x);
  panel.decision.textContent = capital(name(now));
  panel.decision.className = `decision ${shade(now)}`;
  panel.decision.dataset.place = now;
  panel.chance.value = String(chance);
  panel.chance.textContent = isTwo ? `probability of ${accepted}: ${percent(chance)}`
    : `place ${now + 1} of ${names.length}, probability ${percent(chance)}`;
  panel.brief.textContent = `${capital(name(now))}, ${percent(chance)}`;
  panel.brief.className = `brief ${shade(now)} swatch`;
  panel.meter.setAttribute("width", 100 * chance);
  panel.number.value = row ? row.number : "";
  panel.missing.textContent = step > 1 ? `every ${nth(step)} of ${total} rows is here` : "";
  panel.before.textContent = row
    ? `Row ${row.number}. In truth: ${name(row.truth)}. As it stands: ${name(row.decision)}, ${percent(row.chance)}.`
    : "A case of your own.";
  panel.case.textContent = order.map((c) => `${criteria[c].name}: ${shown(c, x[c])}`).join(", ");
  refreshWays(x, kept, now);
  refreshClasses(x, now);
  boundaries.forEach((_, b) => refreshBoundary(x, b, now));
  if (adds) refreshAdds(x);
  panel.place = now;
  order.forEach(refreshSlider);
  if (location.hash || edited) history.replaceState(null, "", written());
  edited = true;
  clearTimeout(speaking);
  speaking = setTimeout(() => {
    document.getElementById("live").textContent = `${capital(name(now))}, ${panel.chance.textContent}`;
  }, 300);
}

function open(row) {
  if (!row) {
    panel.missing.textContent = step > 1 ? `not here: only rows 1, ${1 + step}, … are` : "there is no such row";
    return;
  }
  state = { row, x: row.x.slice(), kept: state.kept };
  update();
}

function show(row) {
  open(row);
  document.getElementById("whatif").scrollIntoView();
  panel.number.focus({ preventScroll: true });
}
