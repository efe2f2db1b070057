// Counts the rows under the choices that were made, and says when the counted table is old.

import { completed } from "./chosen-file.js";
import { keep, several, ticked, unfolded, weightColumn } from "./columns.js";
import { keepFields } from "./kept-fields.js";
import { keepLeftOut } from "./left-out.js";
import { $, element, grouped, many, MOST_SAID } from "./page.js";
import { state, worker } from "./state.js";
import { sayTable } from "./table-field.js";
import { FileError, plain, quoted } from "./tabular.js";
import { listed, ruleOf, titleOf, unlisted } from "./values.js";

export const failCount = (text) => {
  $("count").disabled = false;
  state.onCounted = null;
  $("counted").replaceChildren(element("p", { className: "error" }, text));
};

// Everything that the table depends on. A table that was counted under other choices is old.
const choices = () => JSON.stringify([
  state.file.name, state.file.size, state.file.lastModified, state.found.separator, state.found.encoding, state.found.sheet, state.found.namesLine, $("totals-in").checked,
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
  if ($("row-kind").value === "") return "Say first what each row is: one record, a group, or several groups.";
  return unfolded() && !plain($("pivot-name").value) ? "Name the column that replaces the columns of counts." : "";
}

// Why the rows can't be counted yet, or "".
function hindrance(columns) {
  const identifying = columns.find((at) => state.found.columns[at].isIdentifying && !ruleOf(at) && !listedGroups(at) && !$(`identifies-${at}`)?.checked);
  const empty = columns.find((at) => listed(at).names.size < 1);
  const nameless = columns.find((at) => !titleOf(at));
  if (whatRowsAre()) return whatRowsAre();
  if (!columns.length && !unfolded()) return "Tick at least one column first.";
  if ($("row-kind").value === "record" && !several()) return "Say first whether a person can have several rows.";
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
    const { names: named, groups, groupLevels, rule } = names[place];
    const levels = [...named.values()].map((values) => [...values]);
    let missing = -1;
    if ($(`missing-${at}`)?.value === "in") {
      missing = titles[place].indexOf("missing");
      if (missing < 0) {
        missing = titles[place].push("missing") - 1;
        levels.push([]);
      }
    }
    return { place: at, levels, size: titles[place].length, groups, groupLevels, rule, missing };
  });
  const heads = columns.map(titleOf);
  if (unfolded()) {
    heads.push(plain($("pivot-name").value));
    titles.push(unfolded().map((at) => state.found.names[at]));
  }
  state.counted = { heads, titles, choices: choices(), isEdited: false, notListed: columns.flatMap((at) => unlisted(at).others.map(({ value }) => `“${value}” in “${state.found.names[at]}”`)) };
  $("count").disabled = true;
  $("counted").replaceChildren(element("p", {}, "The rows are being counted."));
  worker.postMessage({ kind: "count", columns: wanted, weight: weightColumn(), unfold: unfolded() });
}

export function cellsOf(titles) {
  return titles.reduce((cells, each) => cells.flatMap((cell) => each.map((value) => [...cell, value])), [[]]);
}

export function showCounted({ counts, left }) {
  $("count").disabled = false;
  $("file-error").hidden = true;
  const records = counts.reduce((sum, each) => sum + each, 0);
  const unlistedValues = `${state.counted.notListed.slice(0, MOST_SAID).join(", ")}${state.counted.notListed.length > MOST_SAID ? ` and ${state.counted.notListed.length - MOST_SAID} more` : ""}`;
  const why = (...values) => [
    left.missing ? `${grouped(left.missing)} with a missing value` : "",
    left.total ? `${grouped(left.total)} that ${left.total === 1 ? "looks like a total" : "look like totals"}` : "",
    left.outside ? `${grouped(left.outside)} outside the groups` : "",
    left.uncounted ? `${many(left.uncounted, "row")} without a count, which is not 0` : "",
    left.unlisted ? [`${grouped(left.unlisted)} with a value that is not listed`, ...values].join(": ") : "",
  ].filter(Boolean);
  const out = why(unlistedValues);
  $("counted").replaceChildren(
    element("p", { className: "notice good" }, `${many(records, "record was", "records were")} counted into ${many(counts.length, "category", "categories")}.${out.length ? ` Left out: ${out.join(", ")}.` : ""}`),
  );
  const head = [...state.counted.heads, "count"].map(quoted).join(",");
  const lines = cellsOf(state.counted.titles).map((cell, at) => [...cell.map(quoted), counts[at]].join(","));
  $("table").value = [head, ...lines].join("\n");
  const totals = state.found.totals.length && !$("totals-in").checked ? [$("totals-said").textContent] : [];
  keepLeftOut($("table").value, [...(out.length ? [`Left out of “${state.file.name}”: ${why().join(", ")}.`] : []), ...completed(), ...totals]);
  $("compare-part").hidden = false;
  sayTable();
  sayStale();
  keepFields();
  state.onCounted?.();
}
