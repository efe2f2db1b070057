// Step 4: ε as a field and a slider, what it means for a person, and a picture of its noise. Nothing is asked of the
// service.

import { drawNoise } from "./noise.js";

const SUSPICION = 0.03;
const MOST_PRESET = 15;
// The δ of a budget is public, so it must not depend on a number of records that is private.
const DELTA_AT_PRIVATE_N = "1e-9";

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

// `times` is 2 if the number of records is private: a changed record is then one removed and one added.
function exampleOf(epsilon, times) {
  if (!(epsilon > 0 && epsilon <= 1000)) return "";
  const odds = (SUSPICION / (1 - SUSPICION)) * Math.exp(Math.min(times * epsilon, 60));
  const chance = Math.ceil(1000 * (odds / (1 + odds)) - 1e-9) / 10;
  const most = chance < 100 ? `at most ${chance.toFixed(1)} %` : "nearly 100 %";
  return `For example, a person whose chance of a positive result is thought to be 3 % could be thought to have one of ${most}, whatever is released.`;
}

const presenceOf = (epsilon) => `Whether a person is in the table is hidden: somebody who knows every other record, and sees every release, can raise their odds that the last person is in it at most ${factor(epsilon)} times. `;

export const meaningOf = (epsilon, times) => (epsilon > 0 && epsilon <= 1000
  ? `${times === 2 ? presenceOf(epsilon) : ""}Somebody who knows every other record, and sees every release, can raise their odds of a fact about the last person, such as an illness, at most ${factor(times * epsilon)} times. ${exampleOf(epsilon, times)}`
  : "");

const $ = (id) => document.getElementById(id);
let records = 0;
let cells = 0;

function warn() {
  $("weak-epsilon").hidden = !(number($("epsilon")) > Number($("weak-epsilon").dataset.above));
  $("weak-delta").hidden = !(records > 0 && number($("delta")) * records > 1);
}

function say() {
  const epsilon = number($("epsilon"));
  $("meaning").textContent = exampleOf(epsilon, isPrivate() ? 2 : 1);
  warn();
  drawNoise({ epsilon, moved: (number($("most_records")) || 1) * (isPrivate() ? 1 : 2), records, cells });
}

const isPrivate = () => $("n_is_public").value === "no";

function presetDelta({ always = false } = {}) {
  const delta = $("delta");
  const ofRecords = records > 0 ? `1e-${Math.min(MOST_PRESET, Math.ceil(Math.log10(records)) + 3)}` : "";
  const preset = isPrivate() ? DELTA_AT_PRIVATE_N : ofRecords;
  if (preset && (always || !delta.value || delta.value === delta.dataset.preset)) {
    delta.value = preset;
    delta.dataset.preset = preset;
  }
}

// The size of the table: the number of its records and of its categories.
export function setTable(count, table) {
  records = count;
  cells = table ? table.names.map((_, at) => new Set(table.lines.map((line) => line.values[at])).size).reduce((product, each) => product * each, 1) : 0;
  presetDelta();
  say();
}

// A budget's tables have a public number of records, or a private one.
function offerBudgets() {
  const answer = $("n_is_public").value;
  const options = [...$("budget").options ?? []].filter((each) => each.dataset.public);
  for (const each of options) each.hidden = each.disabled = Boolean(answer) && each.dataset.public !== answer;
  if (options.some((each) => each.disabled && each.selected)) $("budget").value = "";
  if (options.length) $("other-budgets").hidden = !options.some((each) => each.disabled);
}

function chooseBudget() {
  $("new-budget").hidden = $("budget").value !== "new";
  warn();
}

export function begin() {
  const [field, slider] = [$("epsilon"), $("slider")];
  $("slider-part").hidden = false;
  const follow = () => {
    const epsilon = number(field);
    if (epsilon > 0) slider.value = String(Math.round(100 * Math.log10(epsilon)));
    slider.setAttribute("aria-valuetext", `ε ${field.value}`);
  };
  slider.addEventListener("input", () => {
    field.value = String(epsilonOf(Number(slider.value)));
    slider.setAttribute("aria-valuetext", `ε ${field.value}`);
    say();
  });
  field.addEventListener("input", () => {
    follow();
    say();
  });
  $("delta").addEventListener("input", warn);
  $("n_is_public").addEventListener("change", () => {
    presetDelta({ always: isPrivate() });
    offerBudgets();
    chooseBudget();
    say();
  });
  $("most_records").addEventListener("input", say);
  $("most_records").addEventListener("change", say);
  $("budget").addEventListener("change", chooseBudget);
  follow();
  say();
  offerBudgets();
  chooseBudget();
}
