// The file: how it is written, its first rows, and what each row is.

import { filterColumns, rowKind, severalChoices, setRowKind, showColumns, showValues } from "./columns.js";
import { sayStale } from "./counted.js";
import { $, element, many, MOST_NAMED } from "./page.js";
import { countPeople } from "./people.js";
import { state, worker } from "./state.js";
import { isUnnamed } from "./study.js";
import { showSummary } from "./summary.js";

const FEWEST_SEARCHED = 12;
const MOST_LISTED = 60;
const LONGEST_SHOWN = 60;
const MOST_SHOWN_VALUES = 6;
const cut = (text) => (text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)} …` : text);
const named = (places) => places.slice(0, MOST_NAMED).map((at) => `“${state.found.names[at]}”`).join(", ") + (places.length > MOST_NAMED ? ` and ${places.length - MOST_NAMED} more` : "");

// Another file takes the table of the earlier one away.
function dropTable() {
  state.counted = null;
  if (!state.isPasted) $("table").value = "";
  $("table").dispatchEvent(new Event("change"));
}

// So does a file that can't be read, and what was found in the earlier one goes too.
export function fail(text, written = null) {
  state.isReading = false;
  state.found = null;
  state.written = written;
  dropTable();
  $("file-progress").hidden = true;
  for (const id of ["file-found", "file-read", "rows-part"]) $(id).hidden = true;
  $("no-file").hidden = false;
  $("file-error").hidden = false;
  $("file-error").textContent = text;
  $("file-way").hidden = !written;
  if (written) showFormat(written, $("names-line").value);
  $("format").open = Boolean(written);
  sayStale();
  showSummary();
}

export function read(how = {}) {
  if (!state.file) return;
  state.isReading = true;
  $("file-error").hidden = true;
  $("file-progress").hidden = false;
  $("counted").replaceChildren();
  $("progress").value = 0;
  $("progress-text").textContent = "";
  worker.postMessage({ kind: "read", file: state.file, how });
  sayStale();
}

// Takes a file, or a text that was pasted into the form, which stays there until it is counted.
export function take(given, isPasted = false) {
  if (!given) return;
  state.file = given;
  state.isPasted = isPasted;
  for (const id of ["two-lines", "fill-down"]) $(id).checked = false;
  $("names-line").value = "";
  $("format").open = false;
  $("file-again").hidden = true;
  dropTable();
  read();
}

export function chosenFormat() {
  const namesLine = $("names-line").value === "" ? null : Number($("names-line").value);
  const lines = { namesLine, twoLines: $("two-lines").checked, fillDown: $("fill-down").checked };
  return state.written.sheets.length ? { sheet: state.written.sheet, ...lines } : { separator: $("separator").value, encoding: $("encoding").value, ...lines };
}

const isUnclear = () => state.found.names.some((name, at, names) => names.indexOf(name) < at || (at && at < names.length - 1 && isUnnamed(name, at)));

// What a pivot may have and the owner can tick, or "".
function doubt() {
  const { columns: [first], names, namesLine } = state.found;
  if (namesLine && isUnclear() && !$("two-lines").checked) return "Some columns have no name, or that of another column. If the next line has names too, tick that below. If the line above has names, enter its number first.";
  const isOnce = first.values?.length > 1 && first.values.every(([, rows]) => rows === 1);
  return first.missing && isOnce && !$("fill-down").checked ? `“${names[0]}” is empty in ${many(first.missing, "row")}. If an empty cell repeats the value above it, tick that below.` : "";
}

// Lines of the file that were completed or skipped.
export function completed() {
  const { short, blank, hidden, names, notes, unfilled } = state.found;
  const facts = [];
  if (short) facts.push(`${many(short, "line has", "lines have")} fewer values than there are names: the last columns count as no value.`);
  if (blank) facts.push(`${many(blank, "line", "lines")} without any value ${blank === 1 ? "was" : "were"} skipped.`);
  if (hidden) facts.push(`${many(hidden, "row is", "rows are")} hidden in the sheet, as by a filter, and counted.`);
  if (notes.length) facts.push(`${many(notes.length, "line", "lines")} below the table ${notes.length === 1 ? "is a note" : "are notes"}, and not counted: “${cut(notes.find((note) => /\p{L}/u.test(note)) ?? notes[0])}”${notes.length > 1 ? " …" : "."}`);
  if (unfilled) facts.push(`${many(unfilled, "cell has", "cells have")} a formula without a result, which counts as no value. Open the file in Excel, and save it.`);
  if (state.found.namesLine && !isUnclear() && names.at(-1) === `column ${names.length}`) facts.push("The last column has no name: the line of names has fewer names than the lines below have values.");
  return facts;
}

function chooseSheet(sheet) {
  for (const id of ["two-lines", "fill-down"]) $(id).checked = false;
  $("names-line").value = "";
  read({ sheet });
}

function choice(name, value, text, isChosen, onChosen) {
  const box = element("input", { type: "radio", name, value, checked: isChosen });
  box.setAttribute("form", "unsent");
  box.addEventListener("change", () => onChosen(value));
  return element("label", {}, box, element("span", {}, text));
}

function showFormat({ sheets, sizes, sheet, separator, encoding, near }, namesLine) {
  $("text-format").hidden = sheets.length > 0;
  $("sheet-part").hidden = sheets.length < 2;
  $("sheets").replaceChildren(...sheets.map((name, at) => choice("sheet", name, sizes[at] ? `${name} (${sizes[at]})` : name, name === sheet, chooseSheet)));
  $("separator").value = separator;
  $("encoding").value = encoding;
  $("names-line").value = String(namesLine);
  $("near-part").hidden = !near.length;
  $("near").replaceChildren(...near.map(({ name, line }) => choice("near", name, line, false, (value) => {
    $("encoding").value = value;
    read(chosenFormat());
  })));
}

// The first row, for the question what each row is.
function firstRow() {
  const values = state.found.shown[0].filter((value) => value.trim());
  return values.slice(0, MOST_SHOWN_VALUES).map(cut).join(", ") + (values.length > MOST_SHOWN_VALUES ? " …" : "");
}

function showRowKinds() {
  const { columns, counts, isCertain, names, unfolded } = state.found;
  const weights = columns.flatMap((column, at) => (column.isWhole ? [at] : []));
  $("weight").replaceChildren(...weights.map((at) => element("option", { value: String(at) }, names[at])));
  $("weight").value = String(counts ?? weights.findLast((at) => columns[at].isAsked) ?? weights.at(-1) ?? "");
  $("row-group").disabled = !weights.length;
  $("row-pivot").disabled = !unfolded.length;
  $("row-pivot").closest("label").hidden = !unfolded.length;
  setRowKind(isCertain ? "group" : "");
  $("first-row").textContent = firstRow();
  $("pivot-said").hidden = !unfolded.length;
  $("pivot-said").textContent = unfolded.length ? `${named(unfolded)} may each have the numbers of people with one value. Then they become one column, whose values are their names. As values, their numbers would become public.` : "";
  $("counts-said").hidden = !isCertain;
  $("counts-said").textContent = isCertain ? `“${names[counts]}” is taken as the number of people in each row: no two rows have the same other values.` : "";
}

// Asks for the totals among the rows, once it is known what each row is.
export function findTotals() {
  state.totals = { values: [], row: -1, missing: [] };
  $("totals-found").hidden = true;
  for (const id of ["totals-out", "totals-in"]) $(id).checked = false;
  $("totals-asked").disabled = true;
  const kind = rowKind();
  if (!state.found || !kind) return;
  state.totals.isAwaited = true;
  state.asked += 1;
  worker.postMessage({ kind: "totals", asked: state.asked, weight: kind === "group" ? Number($("weight").value) : null, unfold: kind === "pivot" ? state.found.unfolded : null });
}

export function showTotals({ asked, values, row, rows, missing, shown, unknown }) {
  if (asked !== state.asked) return;
  state.totals = { values, row, missing };
  const columns = values.filter(({ value }) => value === null).map(({ place }) => `the column “${state.found.names[place]}”`);
  const cells = values.filter(({ value }) => value !== null).map(({ place, value }) => `${value ? `“${value}”` : "an empty value"} in “${state.found.names[place]}”`);
  const last = row >= 0 ? [`the row “${shown.filter((value) => value.trim()).slice(0, MOST_SHOWN_VALUES).map(cut).join(", ")}”`] : [];
  $("totals-found").hidden = !(values.length || last.length || unknown);
  $("totals-out").closest("label").hidden = unknown;
  if (unknown) $("totals-said").textContent = `The table has ${many(state.found.rows, "row")}, too many to look for totals. Rows that add up others would count everybody twice.`;
  else $("totals-said").textContent = `The numbers of ${[...columns, ...cells, ...last].join(", of ")} add up those of the others${rows ? `, in ${many(rows, "row")}` : ""}. Counted as people, they would count everybody twice.`;
  const then = state.onTotals;
  state.onTotals = null;
  then?.();
}

export function showFound() {
  state.isReading = false;
  state.written = state.found;
  $("file-progress").hidden = true;
  for (const id of ["file-found", "file-read", "rows-part", "file-way"]) $(id).hidden = false;
  $("no-file").hidden = true;
  $("typed-part").open = false;
  if (doubt()) $("format").open = true;
  showFormat(state.found, state.found.namesLine);
  $("file-summary").textContent = [
    `${state.file.name}: ${many(state.found.rows, "row")}, ${many(state.found.names.length, "column")}.`, ...completed(), doubt(),
  ].join(" ");

  const head = element("tr", {}, ...state.found.names.map((name) => element("th", { scope: "col" }, name)));
  const lines = state.found.shown.map((row) => element("tr", {}, ...row.map((value) => element("td", {}, cut(value)))));
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
  for (const each of severalChoices()) each.checked = false;
  findTotals();
  showValues();
  countPeople();
  showSummary();
}
