// What a sum of steps decides: the same whole numbers as in predict, the same log odds.

const highest = 1;
const isTwo = true;
const [rules, boundaries, accepts, counted, oneCard] = [[], [], true, false, false];
const own = criteria.map((_, c) => literals.filter(({ criterion }) => criterion === c));
const { constant, needed, slope, units, single } = data.sum;

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
function sumOf(x) {
  const reached = codes(x);
  const alone = reached.reduce((sum, level, c) => sum + single[c][level], constant);
  return pairs.reduce((sum, { first, second, at }) => sum + at(reached[first], reached[second]), alone);
}
const logOdds = (sum) => slope * (sum / units);
const decide = (x) => (sumOf(x) >= needed ? 1 : 0);
const atLeast = (x) => [1, 1 / (1 + Math.exp(-logOdds(sumOf(x)))), 0];
const chances = (x) => [1 - atLeast(x)[1], atLeast(x)[1]];
const probability = (x) => atLeast(x)[1];
const deciding = () => [];

/** What each criterion adds, the most first: its steps, and half of what it adds with each other. */
function adds(x) {
  const reached = codes(x);
  const doubled = reached.map((level, c) => 2 * single[c][level]);
  for (const { first, second, at } of pairs) {
    const both = at(reached[first], reached[second]);
    doubled[first] += both;
    doubled[second] += both;
  }
  return order.slice(0, data.used).map((c) => [c, logOdds(doubled[c]) / 2]).sort((a, b) => b[1] - a[1]);
}
const told = {
  parts: "What each criterion adds to the log odds",
  idle: "which add nothing",
  by: ["by", "log odds", (row) => sumOf(row.x), (row) => logOdds(sumOf(row.x)).toFixed(2)],
};
