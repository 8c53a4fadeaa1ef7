// Words for numbers and classes, and elements that hold them.

const literalsOf = criteria.map((_, c) => literals.filter(({ criterion }) => criterion === c));

function shown(c, value) {
  if (Number.isNaN(value)) return "missing";
  const { labels, gaps } = criteria[c];
  const gap = gapAt(c, value);
  if (gap >= 0) return gaps[gap].label;
  if (labels && Number.isInteger(value) && value in labels) return labels[value];
  // As few digits as decide alike.
  const digits = [6, 9, 12, 15].find((count) => {
    const near = Number(value.toPrecision(count));
    return literalsOf[c].every((literal) => reaches(near, literal) === reaches(value, literal));
  });
  return String(digits ? Number(value.toPrecision(digits)) : value);
}
/** Every 2nd, 3rd, 21st, … */
const nth = (number) => {
  const teens = number % 100 > 10 && number % 100 < 14;
  return `${number}${(!teens && ["th", "st", "nd", "rd"][number % 10]) || "th"}`;
};
const amount = (weight) => (Number.isInteger(weight) ? String(weight).replace(/\B(?=(\d{3})+$)/g, "\u202f") : String(Number(weight.toPrecision(4))));
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
