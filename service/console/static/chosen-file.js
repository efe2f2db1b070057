// The file: how it is written, its first rows, and what each row is.

import { filterColumns, severalChoices, showColumns, showValues } from "./columns.js";
import { sayStale } from "./counted.js";
import { $, element, many, MOST_NAMED } from "./page.js";
import { countPeople } from "./people.js";
import { state, worker } from "./state.js";
import { showSummary } from "./summary.js";

const FEWEST_SEARCHED = 12;
const MOST_LISTED = 60;

export const fail = (text) => {
  state.isReading = false;
  $("file-progress").hidden = true;
  $("file-error").hidden = false;
  $("file-error").textContent = text;
};

export function read(how = {}) {
  if (!state.file) return;
  state.isReading = true;
  $("file-error").hidden = true;
  $("file-progress").hidden = false;
  $("counted").replaceChildren();
  $("progress").value = 0;
  $("progress-text").textContent = "";
  worker.postMessage({ kind: "read", file: state.file, totalsIn: $("totals-in").checked, how });
  sayStale();
}

export function take(given) {
  if (!given) return;
  state.file = given;
  $("totals-in").checked = false;
  read();
}

const isExcel = () => state.found !== null && state.found.sheets.length > 0;

export function chosenFormat() {
  const namesLine = $("names-line").value === "" ? null : Number($("names-line").value);
  return isExcel() ? { sheet: $("sheet").value, namesLine } : { separator: $("separator").value, encoding: $("encoding").value, namesLine };
}

// Lines of the file that were completed or skipped.
export function completed() {
  const facts = [];
  if (state.found.short) facts.push(`${many(state.found.short, "line has", "lines have")} fewer values than there are names: the last columns count as no value.`);
  if (state.found.blank) facts.push(`${many(state.found.blank, "line", "lines")} without any value ${state.found.blank === 1 ? "was" : "were"} skipped.`);
  return facts;
}

function showTotals() {
  $("totals-found").hidden = !state.found.totals.length;
  if (!state.found.totals.length) return;
  const said = state.found.totals.map(({ value, column }) => `“${value}” in the column “${column}”`).join(", ");
  const one = state.found.totals.length === 1;
  $("totals-said").textContent = `${one ? "A row at the end has" : `${state.found.totals.length} rows at the end have`} ${said}. ${one ? "It looks like a row" : "They look like rows"} of totals and ${one ? "is" : "are"} ${$("totals-in").checked ? "counted" : "left out"}.`;
}

// The lines in which names can be, and the one in which they were found.
function showNamesLine() {
  const lines = [...new Set([1, 2, 3, state.found.namesLine])].filter((line) => line > 0).sort((one, other) => one - other);
  $("names-line").replaceChildren(
    ...lines.map((line) => element("option", { value: String(line) }, `line ${line}`)),
    element("option", { value: "0" }, "no line: the first one is data"),
  );
  $("names-line").value = String(state.found.namesLine);
}

function showFormat() {
  $("text-format").hidden = isExcel();
  $("sheet-part").hidden = !isExcel();
  $("sheet").replaceChildren(...state.found.sheets.map((name) => element("option", { value: name }, name)));
  $("sheet").value = state.found.sheet;
  $("separator").value = state.found.separator;
  $("encoding").value = state.found.encoding;
  showNamesLine();
}

function showRowKinds() {
  const weights = state.found.columns.flatMap((column, at) => (column.isWhole ? [at] : []));
  $("weight").replaceChildren(...weights.map((at) => element("option", { value: String(at) }, state.found.names[at])));
  if (state.found.counts !== null) $("weight").value = String(state.found.counts);
  $("row-kind").querySelector("[value=group]").disabled = !weights.length;
  $("row-kind").querySelector("[value=pivot]").disabled = !state.found.unfolded.length;
  $("row-kind").value = "record";
  if (state.found.unfolded.length) $("row-kind").value = "";
  else if (state.found.counts !== null) $("row-kind").value = "group";
  const named = state.found.unfolded.map((at) => `“${state.found.names[at]}”`);
  $("pivot-said").hidden = !state.found.unfolded.length;
  $("pivot-said").textContent = `Are these counts? The columns ${named.slice(0, MOST_NAMED).join(", ")}${named.length > MOST_NAMED ? ` and ${named.length - MOST_NAMED} more` : ""} look like counts of one value each. If they are, they become one column, whose values are their names. As values, the counts themselves would become public.`;
  const areRates = state.found.person === null && state.found.counts === null && state.found.columns.every((column) => !column.isAsked || !column.isWhole);
  const rate = areRates ? state.found.columns.findIndex((column) => column.isAsked) : -1;
  $("counts-said").hidden = state.found.counts === null && rate < 0;
  if (rate >= 0) $("counts-said").textContent = `“${state.found.names[rate]}” has decimals, as rates have. If each row stands for several people, register the numbers of people, not the rates.`;
  if (state.found.counts !== null) $("counts-said").textContent = `“${state.found.names[state.found.counts]}” looks like the number of records in each row. If it is not, choose “one record”.`;
}

export function showFound() {
  state.isReading = false;
  $("file-progress").hidden = true;
  for (const id of ["file-found", "file-read"]) $(id).hidden = false;
  $("no-file").hidden = true;
  $("typed-part").open = false;
  $("format").open = false;
  showFormat();
  $("file-summary").textContent = [
    `${many(state.found.rows, "row")} and ${many(state.found.names.length, "column")} were read.`, ...completed(),
  ].join(" ");
  showTotals();

  const head = element("tr", {}, ...state.found.names.map((name) => element("th", { scope: "col" }, name)));
  const lines = state.found.shown.map((row) => element("tr", {}, ...row.map((value) => element("td", {}, value))));
  $("sample").replaceChildren($("sample").caption, element("thead", {}, head), element("tbody", {}, ...lines));
  showRowKinds();

  showColumns();
  $("find-part").hidden = state.found.names.length < FEWEST_SEARCHED;
  $("find-column").value = "";
  $("hide-rest").checked = false;
  filterColumns();
  const isFew = (column) => !column.isIdentifying && !column.isMeasured && !column.isDate && column.values.length <= MOST_LISTED;
  if (state.found.names.length <= 2) state.found.names.forEach((_, at) => { $(`column-${at}`).checked ||= isFew(state.found.columns[at]) && at !== state.found.counts; });

  $("person").replaceChildren(
    element("option", { value: "" }, "none: the file names no person"),
    ...state.found.names.map((name, at) => element("option", { value: String(at) }, name)),
  );
  $("person").value = state.found.person === null ? "" : String(state.found.person);
  for (const choice of severalChoices()) choice.checked = false;
  showValues();
  countPeople();
  showSummary();
}
