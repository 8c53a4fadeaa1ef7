// Rows that the page knows, and the case in the panel with its address.

const { step, total, values, truth } = data.rows;
const rows = Array.from(typeof truth === "string" ? truth : truth.map((place) => place.toString(36)), (bit, i) => {
  const x = values.map((column) => (column[i] === null ? NaN : Number(column[i])));
  const decision = decide(x);
  return {
    number: i * step + 1, x, truth: parseInt(bit, 36), decision, chance: probability(x), next: atLeast(x)[decision + 1], by: deciding(x),
  };
});
const rowNumbered = (number) => rows[(number - 1) / step];

// ---- The case in the panel, and its address -----------------------------------------------------

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
