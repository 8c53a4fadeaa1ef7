// What every page knows: criteria, literals, and what a value reaches.

const data = JSON.parse(document.getElementById("data").textContent);
const { criteria, order, names } = data;
const [refused, accepted] = names;
const refusesMissing = data.missing === "error";

// Infinite levels come as words. A missing value, NaN, is read as the worst there could be, or
// as the best, if it means anything at all to the model.
const filling = criteria.map(({ direction }) => direction * (data.missing === "optimistic" ? 1 : -1) * Infinity);
// A column that is read by two criteria changes them together.
const twins = criteria.map(({ column }, c) => criteria.flatMap((other, j) => (
  j === c || (column !== null && other.column === column) ? [j] : [])));
/** Which kind of cell without a value stands here; -1 where a value does. */
const gapAt = (c, value) => criteria[c].gaps.findIndex(({ place }) => place === value);
const literals = data.literals.map(([criterion, level, text, place]) => ({
  criterion, level: Number(level), text, place, up: criteria[criterion].direction > 0,
}));
const reaches = (value, literal) =>
  literal.up ? value >= literal.level : value <= literal.level;
const filled = (value, c) => (Number.isNaN(value) ? filling[c] : value);
const holds = (x, i) => reaches(filled(x[literals[i].criterion], literals[i].criterion), literals[i]);
