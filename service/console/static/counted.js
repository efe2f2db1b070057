// Counts the rows under the choices that were made, and says when the counted table is old.

import { completed } from "./chosen-file.js";
import { keep, leavesTotals, rowKind, several, ticked, unfolded, weightColumn } from "./columns.js";
import { keepFields } from "./kept-fields.js";
import { keepLeftOut } from "./left-out.js";
import { $, element, grouped, many, MOST_SAID } from "./page.js";
import { state, worker } from "./state.js";
import { sayTable } from "./table-field.js";
import { FileError, plain, quoted } from "./tabular.js";
import { listed, ruleOf, titleOf, unlisted } from "./values.js";

const MOST_LEFT_OUT = 0.2;

export const failCount = (text) => {
  $("count").disabled = false;
  state.onCounted = null;
  $("counted").replaceChildren(element("p", { className: "error" }, text));
};

// Everything that the table depends on. A table that was counted under other choices is old.
const choices = () => JSON.stringify([
  state.file.name, state.file.size, state.file.lastModified, state.found.separator, state.found.encoding, state.found.sheet, state.found.namesLine, leavesTotals(), rowKind(),
  weightColumn(), unfolded(), $("pivot-name").value, ticked().map((at) => [at, $(`levels-${at}`).value, ruleOf(at), titleOf(at), $(`missing-${at}`)?.value]),
]);

export const isOld = () => state.counted !== null && !state.counted.isEdited && (state.isReading || choices() !== state.counted.choices);

export function sayStale() {
  $("stale").hidden = !isOld();
  $("stale").textContent = isOld() ? "This table is old: the file, the columns or their values were changed after the rows were counted. Press “Count the rows” or “Continue”." : "";
  if (!isOld()) $("review-said").hidden = true;
}

export function changed() {
  if (state.found && !state.isReading) keep();
  if (state.counted) state.counted.isEdited = false;
  sayStale();
}

// What is to be said about the rows first, or "".
export function whatRowsAre() {
  if (!$("near-part").hidden) return "Choose first which line shows the right letters.";
  if (!rowKind()) return "Say first what each row is: one person, or a number of people.";
  if (!$("totals-found").hidden && !leavesTotals() && !$("totals-in").checked) return "Say first whether the numbers that add up others are totals.";
  return unfolded() && !plain($("pivot-name").value) ? "Name the column that replaces the columns of counts." : "";
}

// What is to be said about the counted table before the next step, or "".
export function whatIsMissing() {
  if ($("counted").querySelector("input[data-line]:invalid")) return "Type the number of people of each category whose count is not shown, or untick its values.";
  const tick = $("leave-out");
  return tick && !tick.checked ? "Tick that the rows are left out, or change columns and values." : "";
}

// Why the rows can't be counted yet, or "".
function hindrance(columns) {
  const identifying = columns.find((at) => state.found.columns[at].isIdentifying && !ruleOf(at) && !listedGroups(at) && !$(`identifies-${at}`)?.checked);
  const empty = columns.find((at) => listed(at).names.size < 1);
  const nameless = columns.find((at) => !titleOf(at));
  if (whatRowsAre()) return whatRowsAre();
  if (!columns.length && !unfolded()) return "Tick at least one column first.";
  if (rowKind() === "record" && !several()) return "Say first whether a person can have several rows.";
  if (nameless !== undefined) return `Name the column “${state.found.names[nameless]}” first.`;
  if (identifying !== undefined) {
    return state.found.columns[identifying].isAsked
      ? `The numbers in “${state.found.names[identifying]}” may be counts. Group them, untick the column, or tick that they may be known.`
      : `The column “${state.found.names[identifying]}” identifies people. Untick it, or tick that its values may be known.`;
  }
  return empty === undefined ? "" : `List the possible values of “${state.found.names[empty]}” first.`;
}

// Whether all that is listed of a column are groups.
function listedGroups(at) {
  const { names, groups } = listed(at);
  return groups !== null && groups.groups.length === names.size;
}

export function count() {
  if (state.totals.isAwaited) {
    state.onTotals = count;
    return undefined;
  }
  const columns = ticked();
  let names;
  try {
    const why = hindrance(columns);
    if (why) return failCount(why);
    names = columns.map(listed);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return failCount(`${error.message[0].toUpperCase()}${error.message.slice(1)}.`);
  }
  const titles = names.map((each) => [...each.names.keys()]);
  const wanted = columns.map((at, place) => {
    const { names: named, groups, groupLevels } = names[place];
    const levels = [...named.values()].map((values) => [...values]);
    let missing = -1;
    if ($(`missing-${at}`)?.value === "in") {
      missing = titles[place].indexOf("missing");
      if (missing < 0) {
        missing = titles[place].push("missing") - 1;
        levels.push([]);
      }
    }
    return { place: at, levels, size: titles[place].length, groups, groupLevels, missing };
  });
  const heads = columns.map(titleOf);
  if (unfolded()) {
    heads.push(plain($("pivot-name").value));
    titles.push(unfolded().map((at) => state.found.names[at]));
  }
  state.counted = { heads, titles, choices: choices(), isEdited: false, notListed: columns.flatMap((at) => unlisted(at).others.map(({ value }) => `“${value}” in “${state.found.names[at]}”`)) };
  $("count").disabled = true;
  $("counted").replaceChildren(element("p", {}, "The rows are being counted."));
  const totals = leavesTotals() ? state.totals : { values: [], row: -1 };
  worker.postMessage({ kind: "count", columns: wanted, weight: weightColumn(), unfold: unfolded(), totals });
}

export function cellsOf(titles) {
  return titles.reduce((cells, each) => cells.flatMap((cell) => each.map((value) => [...cell, value])), [[]]);
}

// A field for the number of people of each category whose count is blank or not shown in the file.
function markedPart(marked, cells, counts) {
  if (!marked.length) return [];
  const fields = marked.map((cell) => {
    const field = element("input", { id: `marked-${cell}`, className: "short", inputMode: "numeric", required: true, pattern: "[0-9]+" });
    field.dataset.line = String(cell);
    field.setAttribute("form", "unsent");
    field.addEventListener("input", () => writeTable(cells, counts));
    const least = counts[cell] ? `, ${grouped(counts[cell])} or more` : "";
    return element("div", { className: "field" }, element("label", { htmlFor: field.id }, element("bdi", {}, cells[cell].join(" · ")), least), field);
  });
  return [element("fieldset", { className: "card" },
    element("legend", {}, `${many(marked.length, "category has", "categories have")} a count that is blank or not shown`),
    element("p", { className: "hint" }, "It is not 0. Type how many people these are, or untick a value that you can’t count. The numbers are sent encrypted with the others, and no page shows them again."),
    element("div", { className: "row" }, ...fields))];
}

// Writes the table of counts into the form. A count that is not known stays empty, and a table with one is refused.
function writeTable(cells, counts) {
  const typed = new Map([...$("counted").querySelectorAll("input[data-line]")].map((field) => [Number(field.dataset.line), field.value.trim()]));
  const head = [...state.counted.heads, "count"].map(quoted).join(",");
  $("table").value = [head, ...cells.map((cell, at) => [...cell.map(quoted), typed.get(at) ?? counts[at]].join(","))].join("\n");
  keepLeftOut($("table").value, state.counted.said);
  sayTable();
  keepFields();
}

// Above a fifth of the rows it must be said that they are left out.
function leaveOutPart(count, all) {
  if (!(count > MOST_LEFT_OUT * all)) return [];
  return [element("div", { className: "notice" }, element("div", { className: "box" }, element("input", { type: "checkbox", id: "leave-out" }),
    element("label", { htmlFor: "leave-out" }, `${grouped(count)} of ${grouped(all)} may be left out, more than a fifth`)))];
}

export function showCounted({ counts, left, marked, skipped }) {
  $("count").disabled = false;
  $("file-error").hidden = true;
  const records = counts.reduce((sum, each) => sum + each, 0);
  const out = left.missing + left.unlisted + left.outside;
  const unlistedValues = `${state.counted.notListed.slice(0, MOST_SAID).join(", ")}${state.counted.notListed.length > MOST_SAID ? ` and ${state.counted.notListed.length - MOST_SAID} more` : ""}`;
  const why = (...values) => [
    left.missing ? `${grouped(left.missing)} with a missing value` : "",
    left.outside ? `${grouped(left.outside)} outside the groups` : "",
    left.unlisted ? [`${grouped(left.unlisted)} with a value that is not listed`, ...values].join(": ") : "",
    skipped ? `${many(skipped, "row")} of totals` : "",
  ].filter(Boolean);
  const cells = cellsOf(state.counted.titles);
  const said = why(unlistedValues);
  state.counted.said = [...(said.length ? [`Left out of “${state.file.name}”: ${why().join(", ")}.`] : []), ...completed()];
  $("counted").replaceChildren(
    element("p", { className: "notice good" }, `${many(records, "record was", "records were")} counted into ${many(counts.length, "category", "categories")}.${said.length ? ` Left out: ${said.join(", ")}.` : ""}`),
    ...leaveOutPart(out, out + records),
    ...markedPart(marked, cells, counts),
  );
  $("totals-asked").disabled = !$("totals-in").checked;
  writeTable(cells, counts);
  $("compare-part").hidden = false;
  sayStale();
  if (!whatIsMissing()) state.onCounted?.();
  else $("counted").querySelector("input").focus();
}
