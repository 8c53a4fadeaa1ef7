// What a sum of steps decides: the same whole numbers as in predict, the same log odds.

const { slope, units, boundaries: sums } = data.sum;
const highest = sums.length;
const isTwo = highest === 1;
const [rules, boundaries, accepts, counted, oneCard] = [[], [], true, false, false];
const own = criteria.map((_, c) => literals.filter(({ criterion }) => criterion === c));

/** Tables of pairs, over those of their levels that add anything. */
const pairs = data.sum.pairs.map(([first, second, ...places]) => {
  const adds = places.pop();
  const used = places.map((list) => [...new Set(list)].sort((a, b) => a - b));
  const index = used.map((list, side) => Array.from(
    { length: own[side ? second : first].length + 1 }, (_, code) => list.filter((place) => place < code).length,
  ));
  const width = used[1].length + 1;
  const table = new Float64Array((used[0].length + 1) * width);
  adds.forEach((add, i) => {
    table[(used[0].indexOf(places[0][i]) + 1) * width + used[1].indexOf(places[1][i]) + 1] += add;
  });
  for (let i = width; i < table.length; i++) table[i] += table[i - width];
  for (let i = 1; i < table.length; i++) if (i % width) table[i] += table[i - 1];
  return { first, second, at: (one, other) => table[index[0][one] * width + index[1][other]] };
});

/** How many levels of a criterion a value reaches: they get harder and harder. */
function code(value, c) {
  let [low, high] = [0, own[c].length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (reaches(filled(value, c), own[c][middle])) low = middle + 1;
    else high = middle;
  }
  return low;
}
const codes = (x) => x.map(code);
/** The total of a case at a boundary. */
function sumOf(x, { constant, single }) {
  const reached = codes(x);
  const alone = reached.reduce((sum, level, c) => sum + single[c][level], constant);
  return pairs.reduce((sum, { first, second, at }) => sum + at(reached[first], reached[second]), alone);
}
const logOdds = (sum) => slope * (sum / units);
const passes = (x, boundary) => sumOf(x, boundary) >= boundary.needed;

/** The place of the class: boundaries are nested, so the first that is not passed ends it. */
function decide(x) {
  let place = 0;
  while (place < highest && passes(x, sums[place])) place++;
  return place;
}
const chanceOf = (x, boundary) => 1 / (1 + Math.exp(-logOdds(sumOf(x, boundary))));
/** Probabilities of each class or a higher one: 1 for the lowest, then never more, 0 at the end. */
const atLeast = (x) => [1, ...sums.map((boundary) => chanceOf(x, boundary)), 0];
/** The same, so far from 1/2 between two boundaries that the class is the likeliest one. */
function apart(x, b) {
  const chance = chanceOf(x, sums[b]);
  const [up, down] = data.sum.moved;
  if (passes(x, sums[b])) return b < highest - 1 ? Math.max(chance, up + (chance - 0.5) / 3) : chance;
  return b > 0 ? Math.min(chance, down - (0.5 - chance) / 3) : chance;
}
function chances(x) {
  const passed = [1, ...sums.map((_, b) => apart(x, b)), 0];
  return passed.slice(0, -1).map((share, c) => share - passed[c + 1]);
}
/** What is shown beside the decision: of two classes always the probability of the higher one. */
const probability = (x) => (isTwo ? atLeast(x)[1] : chances(x)[decide(x)]);
const deciding = () => [];
/** The boundary that is told about: of the next class up, of the highest class its own. */
const shownBoundary = (x) => sums[Math.min(decide(x), highest - 1)];

/** What each criterion adds, the most first: its steps, and half of what it adds with each other. */
function adds(x) {
  const { single } = shownBoundary(x);
  const reached = codes(x);
  const doubled = reached.map((level, c) => 2 * single[c][level]);
  for (const { first, second, at } of pairs) {
    const both = at(reached[first], reached[second]);
    doubled[first] += both;
    doubled[second] += both;
  }
  return order.slice(0, data.used)
    .map((c) => [c, logOdds((criteria[c].free ? twins[c] : [c]).reduce((sum, j) => sum + doubled[j], 0)) / 2]).sort((a, b) => b[1] - a[1]);
}
const told = {
  parts: isTwo ? "What each criterion adds to the log odds" : "What each criterion adds to the log odds of the next class",
  idle: "which add nothing",
  by: ["by", "log odds", (row) => sumOf(row.x, shownBoundary(row.x)), (row) => logOdds(sumOf(row.x, shownBoundary(row.x))).toFixed(2)],
};
