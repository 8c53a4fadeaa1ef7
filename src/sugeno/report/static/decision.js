// What is decided, with what probability, and what would change it: predict and predict_proba.

const data = JSON.parse(document.getElementById("data").textContent);
const { criteria, rules, order, names } = data;
// A class is the number of boundaries that a row passes. Two classes have one boundary.
const boundaries = data.boundaries.map((known) => ({ ...known, own: rules.slice(...known.rules) }));
const highest = boundaries.length;
const isTwo = highest === 1;
const [refused, accepted] = names;
// Rules accept where they hold, clauses refuse where they fail.
const accepts = boundaries[0].joint === "and";
// A card adds up points.
const { counted } = boundaries[0];
// Boundaries of one card count the same points.
const oneCard = data.card && !isTwo;
const refusesMissing = data.missing === "error";

// ---- The arithmetic of predict and predict_proba ------------------------------------------------

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

const isMet = (x, rule, { joint }) => (joint === "and" ? rule.every((i) => holds(x, i)) : rule.some((i) => holds(x, i)));
const score = (x, boundary) => boundary.own
  .reduce((sum, rule, r) => (isMet(x, rule, boundary) ? sum + boundary.points[r] : sum), 0);
const passes = (x, boundary) => boundary.needed <= score(x, boundary);

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
const decisive = (x, boundary) => boundary.own
  .flatMap((rule, r) => (isMet(x, rule, boundary) === (boundary.joint === "and") ? [r] : []));
const deciding = (x) => decisive(x, boundaries[Math.max(0, decide(x) - 1)]);

// ---- What would change the decision -------------------------------------------------------------

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
