// The slider for ε: the sentence about odds follows at once; what a rate of 5 % would be known to is asked for when the
// slider rests.

const epsilonField = document.querySelector("#epsilon");
const mostField = document.querySelector("#most_records");
const slider = document.querySelector("#slider");
const odds = document.querySelector("#odds");
const known = document.querySelector("#known");
const knownUrl = new URL("../data/new/known", import.meta.url);

const twoDigits = (value) => Number(value.toPrecision(2));
const epsilonOf = (place) => twoDigits(10 ** (place / 100));
const number = (text) => Number(text.trim().replace(",", "."));

function factor(epsilon) {
  // Three digits, rounded up. In logarithms, as e^1000 is larger than any number here.
  const log = epsilon / Math.LN10;
  const exponent = Math.floor(log);
  const digits = Math.ceil(10 ** (log - exponent + 2) * (1 + 1e-12));
  if (exponent < 6) return Number((digits * 10 ** (exponent - 2)).toPrecision(3)).toLocaleString("en").replaceAll(",", "\u202f");
  return `${(digits / 100).toFixed(2)}\u00a0×\u00a010${[...String(exponent)].map((each) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[each]).join("")}`;
}

function say() {
  const epsilon = number(epsilonField.value);
  odds.textContent = epsilon > 0 && epsilon <= 1000
    ? `Anyone who sees every release can raise their odds of a fact about a person, such as an illness, at most ${factor(epsilon)} times.`
    : "";
}

let latest = 0;
let records = 0;

async function ask() {
  const epsilon = number(epsilonField.value);
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
  known.replaceChildren(body.rows ? tableOf(body) : body.detail ?? "");
}

function tableOf({ records: people, rows }) {
  const table = document.createElement("table");
  const caption = table.createCaption();
  caption.textContent = `What a rate of 5 % of ${people.toLocaleString("en").replaceAll(",", "\u202f")} records would be known to, by the number of equal releases that share the budget`;
  const head = table.createTHead().insertRow();
  for (const text of ["Releases", "ε of each", "Known to"]) {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.textContent = text;
    head.append(cell);
  }
  const body = table.createTBody();
  for (const row of rows) {
    const line = body.insertRow();
    const texts = [row.releases, row.epsilon, `5 % ± ${row.points} points (± ${row.exact} from the exact counts)`];
    for (const text of texts) line.insertCell().textContent = text;
  }
  return table;
}

export function setRecords(count) {
  if (count === records) return;
  records = count;
  ask();
}

export function begin() {
  slider.closest("[hidden]").hidden = false;
  document.querySelector("#work-out").hidden = true;
  const follow = () => {
    const epsilon = number(epsilonField.value);
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
  for (const each of [epsilonField, mostField]) each.addEventListener("change", ask);
  follow();
  say();
}
