// What rules and cards decide, with what probability: predict and predict_proba.

const { rules } = data;
// A class is the number of boundaries that a row passes. Two classes have one boundary.
const boundaries = data.boundaries.map((known) => ({ ...known, own: rules.slice(...known.rules) }));
const highest = boundaries.length;
const isTwo = highest === 1;
// Rules accept where they hold, clauses refuse where they fail.
const accepts = boundaries[0].joint === "and";
// A card adds up points.
const { counted } = boundaries[0];
// Boundaries of one card count the same points.
const oneCard = data.card && !isTwo;

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

/**
 * Probabilities of each class or a higher one: 1 for the lowest, then never more, 0 at the end.
 * What boundaries dispute is shared by the classes.
 */
function atLeast(x) {
  const found = [];
  for (const boundary of boundaries) {
    // Gains are whole numbers: their sum is exact.
    let score = 0;
    for (let i = boundary.literals[0]; i < boundary.literals[1]; i++) if (holds(x, i)) score += data.gains[i];
    const [starts, values] = boundary.steps[passes(x, boundary) ? 1 : 0];
    let place = 0;
    while (place + 1 < starts.length && starts[place + 1] <= score) place++;
    found.push(values[place]);
  }
  const settled = found.map((_, b) => {
    const low = Math.min(...found.slice(0, b + 1));
    const high = Math.max(...found.slice(b));
    return low + (high - low) * boundaries[b].share;
  });
  return [1, ...settled, 0];
}
const chances = (x) => atLeast(x).slice(0, -1).map((share, c, all) => share - (all[c + 1] ?? 0));
/** What is shown beside the decision: of two classes always the probability of the higher one. */
const probability = (x) => chances(x)[isTwo ? 1 : decide(x)];

/** Numbers of the rules of a boundary that hold, or of the clauses that fail. */
const decisive = (x, boundary) => boundary.own
  .flatMap((rule, r) => (isMet(x, rule, boundary) === (boundary.joint === "and") ? [r] : []));
const deciding = (x) => decisive(x, boundaries[Math.max(0, decide(x) - 1)]);

// ---- How the panel and the table call it --------------------------------------------------------

const adds = null; // a sum tells what each criterion adds; rules are told one by one
const told = {
  parts: isTwo ? (accepts ? "Rules" : "Conditions, all needed") : "Boundaries, and the rules that pass them",
  idle: counted ? "without points" : "in no rule",
  by: counted ? ["by", "points", (row) => score(row.x, boundaries[0]), (row) => String(score(row.x, boundaries[0]))]
    : ["by", accepts ? "by rule" : "by condition", (row) => (row.by.length ? row.by[0] : Infinity), (row) => row.by.map((r) => r + 1).join(", ") || "–"],
};
