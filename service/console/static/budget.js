// The slider for ε: the sentence about odds and its example follow at once; what a rate of 5 % would be known to is asked
// for when the slider rests.

const epsilonField = document.querySelector("#epsilon");
const deltaField = document.querySelector("#delta");
const mostField = document.querySelector("#most_records");
const slider = document.querySelector("#slider");
const meaning = document.querySelector("#meaning");
const known = document.querySelector("#known");
const knownUrl = new URL("../data/new/known", import.meta.url);
const SUSPICION = 0.03;
const weakEpsilon = document.querySelector("#weak-epsilon");

const twoDigits = (value) => Number(value.toPrecision(2));
const epsilonOf = (place) => twoDigits(10 ** (place / 100));
export const number = (field) => Number(field.value.trim().replace(",", ".") || "NaN");
const grouped = (count) => count.toLocaleString("en").replaceAll(",", "\u202f");

function factor(epsilon) {
  // Three digits, rounded up. In logarithms, as e^1000 is larger than any number here.
  const log = epsilon / Math.LN10;
  const exponent = Math.floor(log);
  const digits = Math.ceil(10 ** (log - exponent + 2) * (1 + 1e-12));
  if (exponent < 6) return grouped(Number((digits * 10 ** (exponent - 2)).toPrecision(3)));
  return `${(digits / 100).toFixed(2)}\u00a0×\u00a010${[...String(exponent)].map((each) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[each]).join("")}`;
}

function example(epsilon) {
  const odds = (SUSPICION / (1 - SUSPICION)) * Math.exp(Math.min(epsilon, 60));
  const chance = Math.ceil(1000 * (odds / (1 + odds)) - 1e-9) / 10;
  const most = chance < 100 ? `at most ${chance.toFixed(1)} %` : "nearly 100 %";
  return `For example, a person whose chance of a positive result is thought to be 3 % could be thought to have one of ${most}, whatever is released.`;
}

export function warn() {
  weakEpsilon.hidden = !(number(epsilonField) > Number(weakEpsilon.dataset.above));
  document.querySelector("#weak-delta").hidden = !(records > 0 && number(deltaField) * records > 1);
}

export const meaningOf = (epsilon) => (epsilon > 0 && epsilon <= 1000
    ? `Somebody who knows every other record, and sees every release, can raise their odds of a fact about the last person, such as an illness, at most ${factor(epsilon)} times. ${example(epsilon)}`
    : "");

function say() {
  meaning.textContent = meaningOf(number(epsilonField));
  warn();
}

let latest = 0;
let records = 0;

async function ask() {
  const epsilon = number(epsilonField);
  if (!(epsilon > 0) || records < 20) return;
  latest += 1;
  const mine = latest;
  known.textContent = "Working out what that gives …";
  const query = new URLSearchParams({ records: String(records), most: mostField.value, epsilon: String(epsilon) });
  let body;
  try {
    body = await (await fetch(`${knownUrl}?${query}`)).json();
  } catch {
    body = { detail: "This could not be worked out now." };
  }
  if (mine !== latest) return;
  known.replaceChildren(...(body.rows ? tableOf(body) : [body.detail ?? ""]));
}

function cellsOf(line, name, texts) {
  for (const text of texts) {
    const cell = document.createElement(name);
    if (name === "th") cell.scope = "col";
    cell.className = "number";
    cell.textContent = text;
    line.append(cell);
  }
}

function tableOf({ sizes, rows, exact, note }) {
  const table = document.createElement("table");
  table.createCaption().textContent = "A rate of 5 % among these records, by one of several releases that share ε equally: its error in percentage points (95 % interval)";
  cellsOf(table.createTHead().insertRow(), "th", ["Releases", "ε of each", ...sizes.map((size) => `${grouped(size)} records`)]);
  const body = table.createTBody();
  for (const row of rows) cellsOf(body.insertRow(), "td", [row.releases, row.epsilon, ...row.points.map((points) => `± ${points}`)]);
  cellsOf(body.insertRow(), "td", ["exact counts", "–", ...exact.map((points) => `± ${points}`)]);
  const wide = document.createElement("div");
  wide.className = "wide";
  wide.tabIndex = 0;
  wide.setAttribute("role", "region");
  wide.setAttribute("aria-label", "The error of a rate of 5 %");
  wide.append(table);
  const hint = document.createElement("p");
  hint.className = "hint";
  hint.textContent = note;
  return [wide, hint];
}

export function setRecords(count) {
  if (count === records) return;
  records = count;
  warn();
  ask();
}

export function begin() {
  slider.closest("[hidden]").hidden = false;
  document.querySelector("#work-out").hidden = true;
  const follow = () => {
    const epsilon = number(epsilonField);
    if (epsilon > 0) slider.value = String(Math.round(100 * Math.log10(epsilon)));
    slider.setAttribute("aria-valuetext", `ε ${epsilonField.value}`);
  };
  slider.addEventListener("input", () => {
    epsilonField.value = String(epsilonOf(Number(slider.value)));
    slider.setAttribute("aria-valuetext", `ε ${epsilonField.value}`);
    say();
  });
  slider.addEventListener("change", ask);
  epsilonField.addEventListener("input", () => {
    follow();
    say();
  });
  deltaField.addEventListener("input", warn);
  for (const each of [epsilonField, mostField]) each.addEventListener("change", ask);
  follow();
  say();
}
