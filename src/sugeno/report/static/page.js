"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { criteria, rules, order, names } = data;
  // A class is the number of boundaries that a row passes. Two classes have one boundary.
  const boundaries = data.boundaries.map((known) => ({ ...known, own: rules.slice(...known.rules) }));
  const highest = boundaries.length;
  const isTwo = highest === 1;
  const [refused, accepted] = names;
  const isDnf = data.form === "dnf";
  const refusesMissing = data.missing === "error";

  // ---- The arithmetic of predict and predict_proba ---------------------------------------------

  // Infinite levels come as words. A missing value, NaN, is read as the worst there could be, or
  // as the best, if it means anything at all to the model.
  const filling = criteria.map(({ direction }) => direction * (data.missing === "optimistic" ? 1 : -1) * Infinity);
  const literals = data.literals.map(([criterion, level, text, place]) => ({
    criterion, level: Number(level), text, place, up: criteria[criterion].direction > 0,
  }));
  const reaches = (value, literal) =>
    literal.up ? value >= literal.level : value <= literal.level;
  const filled = (value, c) => (Number.isNaN(value) ? filling[c] : value);
  const holds = (x, i) => reaches(filled(x[literals[i].criterion], literals[i].criterion), literals[i]);

  const passes = (x, { own }) => (isDnf
    ? own.some((rule) => rule.every((i) => holds(x, i)))
    : own.every((clause) => clause.some((i) => holds(x, i))));

  /** The place of the class: boundaries are nested, so the first that is not passed ends it. */
  function decide(x) {
    let place = 0;
    while (place < highest && passes(x, boundaries[place])) place++;
    return place;
  }

  /** Probabilities of each class or a higher one: 1 for the lowest, then never more, 0 at the end. */
  function atLeast(x) {
    const found = [1];
    for (const boundary of boundaries) {
      // Gains are whole numbers: their sum is exact.
      let score = 0;
      for (let i = boundary.literals[0]; i < boundary.literals[1]; i++) if (holds(x, i)) score += data.gains[i];
      const [starts, values] = boundary.steps[passes(x, boundary) ? 1 : 0];
      let place = 0;
      while (place + 1 < starts.length && starts[place + 1] <= score) place++;
      found.push(Math.min(found.at(-1), values[place]));
    }
    return [...found, 0];
  }
  const chances = (x) => atLeast(x).slice(0, -1).map((share, c, all) => share - (all[c + 1] ?? 0));
  /** What is shown beside the decision: of two classes always the probability of the higher one. */
  const probability = (x) => chances(x)[isTwo ? 1 : decide(x)];

  /** Numbers of the rules of a boundary that hold, or of the clauses that fail. */
  const decisive = (x, { own }) => own.flatMap((rule, r) => {
    const counts = isDnf ? rule.every((i) => holds(x, i)) : !rule.some((i) => holds(x, i));
    return counts ? [r] : [];
  });
  const deciding = (x) => decisive(x, boundaries[Math.max(0, decide(x) - 1)]);

  // ---- What would change the decision ----------------------------------------------------------

  const fraction = (c, value) => {
    const { stops, even, low, high } = criteria[c];
    if (Number.isNaN(value)) return filling[c] > 0 ? 1 : 0;
    if (!even) return Math.min(1, Math.max(0, (value - low) / (high - low || 1)));
    const next = stops.findIndex((stop) => stop >= value);
    if (next < 0) return 1;
    const part = next > 0 && stops[next] > value
      ? next - (stops[next] - value) / (stops[next] - stops[next - 1]) : next;
    return part / Math.max(1, stops.length - 1);
  };

  /** Known values of a criterion that are better, or worse, than a value; the nearest first. */
  function beyond(c, value, better) {
    const { stops, direction } = criteria[c];
    const rising = better === direction > 0;
    const from = filled(value, c);
    return rising ? stops.filter((stop) => stop > from) : stops.filter((stop) => stop < from).reverse();
  }

  const replaced = (x, c, value) => x.map((old, j) => (j === c ? value : old));
  const changed = (x, z) => z.flatMap((value, c) => (Object.is(value, x[c]) ? [] : [c]));
  const cost = (x, z) => changed(x, z)
    .reduce((sum, c) => sum + 1e3 + Math.abs(fraction(c, z[c]) - fraction(c, x[c])), 0);

  function* subsets(items, size, from = 0) {
    if (size === 0) yield [];
    for (let i = from; i <= items.length - size && size > 0; i++) {
      for (const rest of subsets(items, size - 1, i + 1)) yield [items[i], ...rest];
    }
  }
  const orders = (items) => (items.length < 2 || items.length > 3 ? [items]
    : items.flatMap((item) => orders(items.filter((other) => other !== item)).map((rest) => [item, ...rest])));

  /**
   * The smallest changes to a higher, or a lower, class: fewest criteria, then the shortest way.
   *
   * The decision is monotone. So a set of criteria can flip it if and only if it does so with all
   * of them at their far ends, and from there each can be drawn back one after the other.
   */
  function flips(x, kept, up) {
    const now = decide(x);
    const moved = (z) => (up ? decide(z) > now : decide(z) < now);
    const far = new Map(order.slice(0, data.used).filter((c) => !kept.has(c))
      .map((c) => [c, beyond(c, x[c], up)]).filter(([, values]) => values.length));
    const ends = (set) => set.reduce((z, c) => replaced(z, c, far.get(c).at(-1)), x);
    const drawnBack = (set) => orders(set).map((line) => line.reduce((z, c) => replaced(
      z, c, [x[c], ...far.get(c)].find((value) => moved(replaced(z, c, value))),
    ), ends(set))).reduce((best, z) => (cost(x, z) < cost(x, best) ? z : best));
    const all = [...far.keys()];
    if (!moved(ends(all))) return [];
    const found = [];
    for (let size = 1, tries = 0; size <= all.length && found.length < 4; size++) {
      for (const set of subsets(all, size)) {
        if (++tries > 20000) return found.length ? found.slice(0, 4) : [drawnBack(all)];
        const more = found.some((z) => changed(x, z).every((c) => set.includes(c)));
        if (!more && moved(ends(set))) found.push(drawnBack(set));
      }
      found.sort((a, b) => cost(x, a) - cost(x, b));
    }
    return found.slice(0, 4);
  }

  /** How far a criterion alone can go for the worse without, or for the better with, a change. */
  function alone(x, c) {
    const now = decide(x);
    const worsens = criteria[c].direction > 0 ? "fall" : "rise";
    const said = [];
    const better = beyond(c, x[c], true).find((value) => decide(replaced(x, c, value)) > now);
    if (better !== undefined) said.push(`at ${shown(c, better)}: ${name(decide(replaced(x, c, better)))}`);
    const worse = beyond(c, x[c], false);
    const end = worse.findIndex((value) => decide(replaced(x, c, value)) < now);
    if (end >= 0) said.push(end ? `may ${worsens} to ${shown(c, worse[end - 1])}` : `must not ${worsens}`);
    return said.join("; ") || (now === highest ? "any value will do" : "no value changes it alone");
  }

  // ---- Words and elements ----------------------------------------------------------------------

  function shown(c, value) {
    if (Number.isNaN(value)) return "missing";
    const { labels } = criteria[c];
    if (labels && Number.isInteger(value) && value in labels) return labels[value];
    return String(Number(value.toPrecision(6)));
  }
  const percent = (share) => {
    const tenths = Math.round(1000 * share) / 10;
    return `${tenths === 100 && share < 1 ? "> 99.9" : tenths === 0 && share > 0 ? "< 0.1" : tenths}\u00a0%`;
  };
  /** The name of a class; beside values of criteria a number alone would not be understood. */
  const name = (place) => (isTwo || Number.isNaN(Number(names[place])) ? names[place] : `class ${names[place]}`);
  /** Colour and mark of a class; more than two have shades between the colours. */
  const shade = (place) => (isTwo ? (place ? "positive" : "negative") : `order s${Math.round((10 * place) / highest)}`);
  const capital = (text) => (/^\p{Ll}[\p{L} ]*(\d+)?$/u.test(text) ? text[0].toUpperCase() + text.slice(1) : text);

  /** Make an element; text is always text, never markup. */
  function make(tag, attributes = {}, ...children) {
    const svg = ["svg", "use", "path", "rect"].includes(tag);
    const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag)
      : document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
      else if (value !== null && value !== false) element.setAttribute(key, value === true ? "" : value);
    }
    element.append(...children.filter((child) => child !== null));
    return element;
  }

  /** A name that may go on in the next line after an underscore. */
  const breakable = (text) => text.split(/(?<=_)/).flatMap((part) => [part, make("wbr")]);

  // ---- Rows ------------------------------------------------------------------------------------

  const { step, total, values, truth } = data.rows;
  const rows = Array.from(typeof truth === "string" ? truth : truth.map((place) => place.toString(36)), (bit, i) => {
    const x = values.map((column) => (column[i] === null ? NaN : Number(column[i])));
    const decision = decide(x);
    return {
      number: i * step + 1, x, truth: parseInt(bit, 36), decision, chance: probability(x), next: atLeast(x)[decision + 1], by: deciding(x),
    };
  });
  const rowNumbered = (number) => rows[(number - 1) / step];

  // ---- The case in the panel, and its address --------------------------------------------------

  const closest = rows.reduce(
    (best, row) => (row.decision < highest && (!best || row.next > best.next) ? row : best), null,
  ) || rows[0];
  let state = { row: closest, x: closest.x.slice(), kept: new Set() };

  function written() {
    const parts = state.row ? [`row=${state.row.number}`] : [];
    if (!state.row || changed(state.row.x, state.x).length) {
      parts.push(`x=${state.x.map((value) => (Number.isNaN(value) ? "" : String(value))).join(";")}`);
    }
    if (state.kept.size) parts.push(`keep=${[...state.kept].sort((a, b) => a - b).join(";")}`);
    return `#${parts.join("&")}`;
  }

  function read(hash) {
    // Not URLSearchParams, which would read 1e+300 as "1e 300".
    const given = new Map(hash.slice(1).split("&").map((part) => part.split("=")));
    const row = given.has("row") ? rowNumbered(Number(given.get("row"))) : null;
    let x = row ? row.x.slice() : null;
    if (given.has("x")) {
      const numbers = given.get("x").split(";").map((text) => (text === "" ? NaN : Number(text)));
      const complete = numbers.every((value) => !Number.isNaN(value));
      if (numbers.length === criteria.length && (complete || !refusesMissing)) x = numbers;
    }
    if (!x) return false;
    const kept = (given.get("keep") || "").split(";").filter((text) => text !== "").map(Number);
    state = { row: row || null, x, kept: new Set(kept.filter((c) => c in criteria)) };
    return true;
  }

  // ---- The panel -------------------------------------------------------------------------------

  const panel = {};
  const sliders = criteria.map((_, c) => slider(c));

  function slider(c) {
    const { stops, even, low, high, labels } = criteria[c];
    const parts = { line: null, range: null, box: null, note: null, was: null, keep: null };
    const set = (value) => {
      if (!refusesMissing || !Number.isNaN(value)) state.x[c] = value;
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
        type: "text", inputmode: "decimal", placeholder: refusesMissing ? null : "missing", autocomplete: "off", "aria-label": `${criteria[c].name}, value`,
        onchange: () => {
          const text = parts.box.value.trim().replace(",", ".");
          const value = text === "" ? NaN : Number(text);
          if (text !== "" && !Number.isFinite(value)) update();
          else set(value);
        },
      });
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
    const marks = literals.flatMap((literal, i) => (literal.criterion === c && used.has(i)
      ? [make("path", { class: "level", d: `M${100 * literal.place} -1V31` })] : []));
    const picture = make("svg", { class: "large", viewBox: "0 -1 100 32", preserveAspectRatio: "none", "aria-hidden": "true" },
      make("use", { href: `#h${c}` }), ...marks, parts.was);
    parts.note = make("p", { class: "alone" });
    const track = make("div", { class: "track" }, picture, parts.range);
    if (even) track.style.setProperty("--bars", stops.length);
    track.classList.toggle("even", even);
    parts.line = make("li", { class: "criterion" },
      make("div", { class: "top" }, make("span", { class: "name", dir: "auto" }, ...breakable(criteria[c].name)), parts.box,
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
    parts.box.value = Number.isNaN(value) ? "" : String(value);
    parts.keep.checked = state.kept.has(c);
    const isChanged = state.row && !Object.is(state.row.x[c], value);
    parts.line.classList.toggle("changed", Boolean(isChanged));
    const bars = stops.length;
    const before = state.row ? fraction(c, state.row.x[c]) : 0;
    const at = even ? (100 * (before * (bars - 1) + 0.5)) / bars : 100 * before;
    parts.was.setAttribute("d", isChanged ? `M${at} -1V31` : "");
    const was = isChanged ? `was ${shown(c, state.row.x[c])}; ` : "";
    parts.note.textContent = was + (c >= 0 && order.indexOf(c) < data.used ? alone(state.x, c) : "in no rule; moves the probability only");
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
      lists.push(make("details", {}, make("summary", {}, `${idle.length} more, in no rule`),
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
        make("h3", {}, isTwo ? (isDnf ? "Rules" : "Conditions, all needed") : "Boundaries, and the rules that pass them"),
        ...panel.boundaries.map(({ box }) => box)),
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
    const summary = make("summary");
    return { chips, summary, box: isTwo ? chips : make("details", { class: "boundary" }, summary, chips) };
  }

  function refreshBoundary(x, b, now) {
    const { chips, summary, box } = panel.boundaries[b];
    const passed = b < now;
    chips.replaceChildren(...boundaries[b].own.slice(0, isTwo ? 100 : 30).map(chip));
    if (isTwo) return;
    const by = decisive(x, boundaries[b]).map((r) => r + 1);
    summary.replaceChildren(make("span", { class: passed ? "held" : "lacks" }, `at least ${names[b + 1]}`),
      passed ? `, by rule ${by.join(", ")}` : ", no rule holds");
    box.classList.toggle("passed", passed);
    if (panel.place !== now) box.open = b === now || b === now - 1;
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
      box.replaceChildren(...(ways.length ? ways.map(flipButton) : [make("p", { class: "note" }, note)]));
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

  function chip(rule, r) {
    const { x } = state;
    const on = isDnf ? rule.every((i) => holds(x, i)) : rule.some((i) => holds(x, i));
    const rank = (i) => order.indexOf(literals[i].criterion);
    const parts = rule.slice().sort((a, b) => rank(a) - rank(b)).map((i) => {
      const held = holds(x, i);
      const value = x[literals[i].criterion];
      const has = held || !isDnf ? "" : ` (${Number.isNaN(value) ? "is" : "has"} ${shown(literals[i].criterion, value)})`;
      return make("span", { class: held ? "held" : "lacks" }, make("span", { class: "spoken" }, held ? "holds: " : "needs: "), words(x, i) + has);
    });
    return make("li", { class: on ? "chip on" : "chip" },
      make("span", { class: "number" }, String(r + 1)),
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
    panel.missing.textContent = step > 1 ? `every ${step}th of ${total} rows is here` : "";
    panel.before.textContent = row
      ? `Row ${row.number}. In truth: ${name(row.truth)}. As it stands: ${name(row.decision)}, ${percent(row.chance)}.`
      : "A case of your own.";
    panel.case.textContent = order.map((c) => `${criteria[c].name}: ${shown(c, x[c])}`).join(", ");
    refreshWays(x, kept, now);
    refreshClasses(x, now);
    boundaries.forEach((_, b) => refreshBoundary(x, b, now));
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

  // ---- The table of rows -----------------------------------------------------------------------

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
    ["by", isDnf ? "by rule" : "by condition", (row) => (row.by.length ? row.by[0] : Infinity), (row) => row.by.map((r) => r + 1).join(", ") || "–"],
    ...order.map((c) => [c, criteria[c].name, (row) => row.x[c], (row) => shown(c, row.x[c])]),
  ];

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
    const head = columns.map(([key, text]) => make("th", {
      scope: "col", class: typeof key === "number" || key === "chance" ? "count" : null,
      "aria-sort": table.by === key ? (table.way > 0 ? "ascending" : "descending") : null,
    }, make("button", {
      type: "button", "data-key": key, onclick: () => {
        table.way = table.by === key ? -table.way : 1;
        table.by = key;
        table.page = 0;
        drawTable();
        table.body.querySelector(`[data-key="${key}"]`).focus();
      },
    }, text)));
    const lines = found.slice(from, from + table.size).map((row) => make("tr", {
      class: row.decision === row.truth ? null : "wrong", onclick: () => show(row),
    }, ...columns.map(([key, , , shownAs], i) => {
      if (i === 0) return make("th", { scope: "row" }, make("button", { type: "button", "aria-label": `Open row ${row.number} in the panel` }, shownAs(row)));
      const side = key === "decision" ? row.decision : key === "truth" ? row.truth : null;
      return make("td", { class: side === null ? (typeof key === "number" || key === "chance" ? "count" : null) : `swatch ${shade(side)}` }, shownAs(row));
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
      make("p", { class: "intro" }, `${step > 1 ? `Every ${step}th row: ` : ""}${rows.length} rows, ${wrong} of them decided wrongly. A click opens a row in the panel.`),
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

  // ---- Start -----------------------------------------------------------------------------------

  build();
  buildTable();
  read(location.hash);
  update();
  addEventListener("hashchange", () => {
    if (location.hash !== written() && read(location.hash)) update();
  });
  // Links within the page move the eye, not the address, which belongs to the case.
  for (const link of document.querySelectorAll('a[href^="#"]')) {
    link.addEventListener("click", (event) => {
      const place = document.querySelector(link.getAttribute("href"));
      if (!place) return;
      event.preventDefault();
      place.scrollIntoView();
      place.tabIndex = -1;
      place.focus({ preventScroll: true });
    });
  }
  for (const button of document.querySelectorAll("[data-rule]")) {
    const row = rows[data.typical[Number(button.dataset.rule)]];
    if (row) button.addEventListener("click", () => show(row));
    else button.disabled = true;
  }
  for (const button of document.querySelectorAll("[data-cell]")) {
    button.addEventListener("click", () => showCell(...button.dataset.cell.split(" ").map(Number)));
  }
})();
