// The columns of the file: what is in each, which are ticked, and what was chosen for them.

import { keep as keepInTab, kept as keptInTab } from "./kept.js";
import { $, element, grouped, many, MOST_NAMED } from "./page.js";
import { state } from "./state.js";
import { ruleOf, sayUnlisted, valuesPart } from "./values.js";

// What was chosen stays in this tab while the page is sent and shown again: names of columns and the values listed for
// them, and no row. A browser lets no page choose a file again by itself.
export const KEPT = "new-data";

export function keep() {
  const columns = Object.fromEntries(state.found.names.flatMap((name, at) => ($(`levels-${at}`) ? [[name, {
    ticked: $(`column-${at}`).checked, levels: state.found.columns[at].isIdentifying ? "" : $(`levels-${at}`).value, rule: ruleOf(at), name: $(`name-${at}`)?.value ?? "",
    missing: $(`missing-${at}`)?.value ?? "out",
  }]] : [])));
  keepInTab(KEPT, { file: state.file.name, columns });
}

export const kept = () => keptInTab(KEPT) ?? { file: "", columns: {} };

// What is in a column, for its box.
function contents(column, at) {
  if (column.values === null && !column.isNumber && !column.isDate) return `more than ${grouped(column.most)} different values, so not a category`;
  const named = (column.values ?? []).map(([value]) => value);
  const blank = missingRows(at) ? ", and rows without a value" : "";
  if (state.found.numbered.includes(at) && at !== state.found.person) return "the number of the row";
  if (at === state.found.person && column.isIdentifying && column.values !== null) return `${many(named.length, "different value")} in ${many(state.found.rows, "row")}: it identifies people${blank}`;
  if (column.isDate) return `dates${column.order ? `, with the ${column.order} first` : ""}: group them by month, quarter or year${blank}`;
  if (column.isMeasured) return `numbers${column.range ? ` from ${column.range.join(" to ")}` : ""}: make groups of them${blank}`;
  if (column.isAsked) return `${many(named.length, "different number")} in ${many(state.found.rows, "row")}: perhaps counts${blank}`;
  if (column.isIdentifying) return `${many(named.length, "different value")} in ${many(state.found.rows, "row")}: it identifies people${blank}`;
  return (named.length <= MOST_NAMED ? named.join(", ") || "no value" : many(named.length, "different value")) + blank;
}

const cannot = (column) => column.values === null && !column.isNumber && !column.isDate;

function columnRow(name, at) {
  const column = state.found.columns[at];
  const box = element("input", { type: "checkbox", id: `column-${at}`, disabled: cannot(column) });
  box.checked = !cannot(column) && Boolean(kept().columns[name]?.ticked);
  const label = element("label", { htmlFor: `column-${at}` }, element("strong", {}, name), " ", element("span", { className: "soft" }, `(${contents(column, at)})`));
  return element("div", { className: "column", id: `row-${at}` }, element("div", { className: "field box" }, box, label));
}

// A column that is unlikely to be part of the table: it names people, or differs in nearly each row.
const isFolded = (column, at) => cannot(column)
  || (state.found.numbered.includes(at) && at !== state.found.person)
  || (column.isIdentifying && (at === state.found.person || !(column.isDate || column.isMeasured || column.isAsked)));

export function showColumns() {
  const rows = state.found.names.map(columnRow);
  const folded = rows.filter((row, at) => isFolded(state.found.columns[at], at) && !row.querySelector("input").checked);
  const others = rows.filter((row) => !folded.includes(row));
  const fold = folded.length && others.length
    ? [element("details", { className: "column", id: "folded" }, element("summary", {}, `${many(folded.length, "column that names people or has a different value", "columns that name people or have a different value")} in each row`), ...folded)]
    : folded;
  $("column-rows").replaceChildren(...others, ...fold);
}

// With many columns: those whose name has what was typed, and those that are ticked.
export function filterColumns() {
  const wanted = $("find-column").value.trim().toLowerCase();
  const rest = $("hide-rest").checked;
  let shown = 0;
  state.found.names.forEach((name, at) => {
    const isTicked = $(`column-${at}`).checked;
    const isShown = !isNoAttribute(at) && (!wanted || name.toLowerCase().includes(wanted)) && (!rest || isTicked);
    $(`row-${at}`).hidden = !isShown;
    if (isShown) shown += 1;
  });
  const fold = $("folded");
  if (fold) {
    fold.hidden = !fold.querySelector(".column:not([hidden])");
    if (wanted) fold.open = true;
  }
  $("columns-shown").hidden = $("find-part").hidden;
  $("columns-shown").textContent = shown < state.found.names.length ? `${grouped(shown)} of ${many(state.found.names.length, "column")} shown` : many(state.found.names.length, "column");
}

// What each row is: "record", "group", "pivot", or "" if that was not answered.
export const rowKind = () => document.querySelector("input[name=row-kind]:checked")?.value ?? "";
export const setRowKind = (kind) => { for (const each of document.querySelectorAll("input[name=row-kind]")) each.checked = each.value === kind; };
export const leavesTotals = () => $("totals-out").checked;
export const weightColumn = () => (rowKind() === "group" && $("weight").value !== "" ? Number($("weight").value) : null);
export const unfolded = () => (rowKind() === "pivot" ? state.found.unfolded.filter((at) => !(leavesTotals() && state.totals.values.some(({ place, value }) => place === at && value === null))) : null);
// Whether a value of a column is a total that is left out.
export const isLeftTotal = (at, value) => leavesTotals() && state.totals.values.some((each) => each.place === at && each.value === value);
// The number of rows without a value in a column, except rows of totals that are left out.
export const missingRows = (at) => state.found.columns[at].missing - (leavesTotals() ? state.totals.missing[at] ?? 0 : 0);
const isNoAttribute = (at) => at === weightColumn() || (rowKind() === "pivot" && state.found.unfolded.includes(at));
export const ticked = () => state.found.names.flatMap((_, at) => ($(`column-${at}`).checked && !isNoAttribute(at) ? [at] : []));
export const severalChoices = () => [...document.querySelectorAll("input[name=several]")];
export const several = () => severalChoices().find((choice) => choice.checked)?.value ?? "";

// The values stand beside the column that is ticked.
export function showValues() {
  const wanted = new Set(ticked());
  $("weight-part").hidden = rowKind() !== "group";
  $("pivot-part").hidden = rowKind() !== "pivot";
  state.found.names.forEach((_, at) => {
    const row = $(`row-${at}`);
    const part = row.querySelector("fieldset");
    row.classList.toggle("ticked", wanted.has(at));
    if (part) part.hidden = !wanted.has(at);
    else if (wanted.has(at)) {
      row.append(valuesPart(at));
      sayUnlisted(at);
    }
  });
  filterColumns();
}
