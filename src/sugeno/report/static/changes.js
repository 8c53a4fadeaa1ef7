// What would change the decision.

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

// A column without a direction is read by two criteria, which change together.
const twins = criteria.map(({ column }, c) => criteria.flatMap((other, j) => (
  j === c || (column !== null && other.column === column) ? [j] : [])));
const clipped = (c, value) => {
  const { within } = criteria[c];
  return within ? Math.min(Number(within[1]), Math.max(Number(within[0]), value)) : value;
};
const replaced = (x, c, value) => {
  const gap = gapAt(c, value);
  return x.map((old, j) => (!twins[c].includes(j) ? old : gap < 0 ? clipped(j, value) : criteria[j].gaps[gap].place));
};
const differs = (x, z, c) => !Object.is(z[c], x[c]);
const changed = (x, z) => z.flatMap((_, c) => (
  differs(x, z, c) && !twins[c].some((j) => j < c && differs(x, z, j)) ? [c] : []));
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
