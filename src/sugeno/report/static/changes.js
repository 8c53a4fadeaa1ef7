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

const clipped = (c, value) => {
  const { within } = criteria[c];
  return within ? Math.min(Number(within[1]), Math.max(Number(within[0]), value)) : value;
};
const replaced = (x, c, value) => {
  const gap = gapAt(c, value);
  return x.map((old, j) => (!twins[c].includes(j) ? old : gap < 0 ? clipped(j, value) : criteria[j].gaps[gap].place));
};
/** Of values of a free column that reach the same levels on both sides, the one nearest to x. */
function turns(x, c) {
  const reached = (z) => twins[c].flatMap((j) => literalsOf[j].map((one) => reaches(filled(z[j], j), one))).join();
  const seen = new Set([reached(x)]);
  return [true, false].flatMap((better) => beyond(c, x[c], better).filter((value) => {
    const way = reached(replaced(x, c, value));
    return !seen.has(way) && seen.add(way);
  }));
}
const changed = (x, z) => z.flatMap((_, c) => (twins[c].find((j) => !Object.is(z[j], x[j])) === c ? [c] : []));
const cost = (x, z) => changed(x, z)
  .reduce((sum, c) => sum + 1e3 + Math.abs(fraction(c, z[c]) - fraction(c, x[c])), 0);

function* subsets(items, size) {
  if (!size) yield [];
  else for (const [i, item] of items.entries()) for (const rest of subsets(items.slice(i + 1), size - 1)) yield [item, ...rest];
}
const orders = (items) => (items.length < 2 || items.length > 3 ? [items]
  : items.flatMap((item) => orders(items.filter((other) => other !== item)).map((rest) => [item, ...rest])));

/**
 * The smallest changes to a higher or a lower class: few criteria first, then short ways.
 *
 * The decision is monotone, so criteria can flip it if and only if they do so at their far ends;
 * from there each can be drawn back. Of a free column one value is tried for each way to reach
 * levels. An empty list proves that there is none; null says that the tries were not enough.
 */
function flips(x, kept, up) {
  const now = decide(x);
  const moved = (z) => (up ? decide(z) > now : decide(z) < now);
  const values = new Map(order.slice(0, data.used).filter((c) => !kept.has(c))
    .map((c) => [c, criteria[c].free ? turns(x, c) : beyond(c, x[c], up)]).filter(([, some]) => some.length));
  const all = [...values.keys()];
  // No case is beyond this one, with both sides of a free column at their far ends.
  const bound = all.reduce((z, c) => (criteria[c].free
    ? z.map((old, j) => (twins[c].includes(j) ? beyond(j, old, up).at(-1) ?? old : old))
    : replaced(z, c, values.get(c).at(-1))), x);
  if (!moved(bound)) return [];
  function* cases([c, ...others], z = x) {
    if (c === undefined) yield z;
    else for (const value of values.get(c).slice(criteria[c].free ? 0 : -1)) yield* cases(others, replaced(z, c, value));
  }
  const cheaper = (one, other) => (cost(x, other) < cost(x, one) ? other : one);
  const drawnBack = (set, end) => orders(set.filter((c) => !criteria[c].free)).map((line) => line.reduce((z, c) => replaced(
    z, c, [x[c], ...values.get(c)].find((value) => moved(replaced(z, c, value))),
  ), end)).reduce(cheaper);
  const found = [];
  for (let size = 1, tries = 0; size <= all.length && found.length < 4; size++) {
    for (const set of subsets(all, size)) {
      if (found.some((z) => changed(x, z).every((c) => set.includes(c)))) continue;
      let best = null;
      for (const z of cases(set)) {
        if (++tries > 20000) return best ? [...found, best] : found.length ? found : all.some((c) => criteria[c].free) ? null : [drawnBack(all, bound)];
        if (moved(z)) best = best ? cheaper(best, drawnBack(set, z)) : drawnBack(set, z);
      }
      if (best) found.push(best);
    }
    found.sort((a, b) => cost(x, a) - cost(x, b));
  }
  return found.slice(0, 4);
}

/** How far a criterion alone can go for the worse without, or for the better with, a change. */
function alone(x, c) {
  const now = decide(x);
  const said = (value) => `at ${shown(c, value)}: ${name(decide(replaced(x, c, value)))}`;
  const other = (better) => beyond(c, x[c], better).find((value) => decide(replaced(x, c, value)) !== now);
  const none = "no value changes it alone";
  if (criteria[c].free) return [other(false), other(true)].filter((value) => value !== undefined).map(said).join("; ") || none;
  const worsens = criteria[c].direction > 0 ? "fall" : "rise";
  const better = other(true);
  const ends = better === undefined ? [] : [said(better)];
  const worse = beyond(c, x[c], false);
  const end = worse.findIndex((value) => decide(replaced(x, c, value)) < now);
  if (end >= 0) ends.push(end ? `may ${worsens} to ${shown(c, worse[end - 1])}` : `must not ${worsens}`);
  return ends.join("; ") || (now === highest ? "any value will do" : none);
}
