// A picture of the noise: a made-up table of the size that the owner typed, with and without noise at an ε, in one release
// and in each of five that share it. It uses no count that was read, and its numbers stay in this browser.

const SVG = "http://www.w3.org/2000/svg";
const MOST_BARS = 10;
const [WIDTH, HEIGHT, TOP, FOOT] = [262, 200, 52, 190];
const DIGIT = 9;
const RELEASES = 5;
const SHARE = 0.95;
// A fixed draw of each bar, as a probability, so that dots move smoothly with ε.
const DRAWS = [[0.42, 0.31, 0.55, 0.46, 0.62, 0.5, 0.86, 0.36, 0.57, 0.44], [0.5, 0.69, 0.22, 0.66, 0.73, 0.6, 0.9, 0.24, 0.52, 0.33]];
const grouped = (count) => count.toLocaleString("en").replaceAll(",", "\u202f");
const shown = (value) => (value >= 100 ? grouped(Number(value.toPrecision(2))) : String(value));

// Two-sided geometric noise, as the mechanism for counts adds it: P(k) is proportional to alpha^|k|. `moved` is the
// most by which one person's records change all counts together: a replaced record changes two counts by one.
const alphaOf = (epsilon, moved) => Math.exp(-epsilon / moved);

// The smallest t with at least 95 % of the noise in ± t.
function within(epsilon, moved) {
  const alpha = alphaOf(epsilon, moved);
  return Math.max(0, Math.ceil(Math.log(((1 - SHARE) * (1 + alpha)) / 2) / Math.log(alpha) - 1));
}

function drawn(probability, epsilon, moved) {
  const alpha = alphaOf(epsilon, moved);
  const tail = Math.min(probability, 1 - probability);
  const size = Math.max(0, Math.round(Math.log((tail * (1 + alpha)) / alpha) / Math.log(alpha)));
  return probability < 0.5 ? -size : size;
}

function madeUp(records, cells) {
  const bars = Math.min(MOST_BARS, Math.max(2, cells));
  const weights = Array.from({ length: bars }, (_, at) => Math.exp(-at / 2.5));
  const sum = weights.reduce((total, each) => total + each, 0);
  const all = (records * bars) / Math.max(bars, cells);
  return weights.map((each) => Math.max(1, Math.round((all * each) / sum)));
}

function shape(name, attributes, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.textContent = text;
  return made;
}

function picture(title, counts, epsilon, moved, draws) {
  const reach = within(epsilon, moved);
  const values = counts.map((count, at) => count + drawn(draws[at], epsilon, moved));
  const top = Math.max(...counts.map((count) => count + reach), ...values);
  const bottom = Math.min(0, ...counts.map((count) => count - reach), ...values);
  const y = (count) => FOOT - ((count - bottom) / (top - bottom)) * (FOOT - TOP);
  const tick = Number((top / 2).toPrecision(1));
  const left = DIGIT * Math.max(3, shown(tick).length) + 9;
  const step = (WIDTH - left) / counts.length;
  const svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "noise", role: "img", "aria-label": `${title}: 95 % of the noise is within ${shown(reach)} of the count.` });
  svg.append(shape("text", { x: 0, y: 14, class: "strong" }, title), shape("text", { x: 0, y: 34, class: "soft" }, `95 % of the noise: ± ${shown(reach)}`));
  for (const each of [0, tick]) {
    svg.append(shape("path", { class: each ? "grid" : "axis", d: `M${left} ${y(each)}H${WIDTH}` }), shape("text", { x: left - 6, y: y(each) + 5, class: "soft end" }, shown(each)));
  }
  counts.forEach((count, at) => {
    const middle = left + step * (at + 0.5);
    svg.append(
      shape("rect", { class: "bar", x: middle - step * 0.35, y: y(count), width: step * 0.7, height: y(0) - y(count) }),
      shape("path", { class: "reach", d: `M${middle} ${y(count + reach)}V${y(count - reach)}` }),
      shape("circle", { class: "dot", cx: middle, cy: y(values[at]), r: 4 }),
    );
  });
  return svg;
}

export function drawNoise({ epsilon, moved, records, cells }) {
  const place = document.getElementById("noise");
  place.hidden = !(epsilon > 0 && epsilon <= 1000 && moved >= 1 && records > 0 && cells > 0);
  if (place.hidden) return;
  const counts = madeUp(records, cells);
  const each = Number((epsilon / RELEASES).toPrecision(2));
  document.getElementById("noise-pictures").replaceChildren(
    picture(`One release of ε ${epsilon}`, counts, epsilon, moved, DRAWS[0]),
    picture(`Each of five, ε ${each}`, counts, epsilon / RELEASES, moved, DRAWS[1]),
  );
  const some = counts.length < cells ? `${counts.length} of ${grouped(cells)} categories: ` : "";
  document.getElementById("noise-said").textContent = `${some}made-up counts in grey, what analysts get in colour.`;
}
