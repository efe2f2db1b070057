// The page for a new data set: a file is read and counted here, in the browser, and the table of counts is written into
// the form. Rows stay on this computer.

import { begin as beginBudget, warn, setRecords } from "./budget.js";
import { MOST_CELLS } from "./counting.js";
import { ENCODINGS } from "./encodings.js";
import { checked, groupOf, groupsOf, placeOf } from "./groups.js";
import { keepLeftOut } from "./left-out.js";
import { pastedTable } from "./pasted.js";
import { FileError, isUnnamed, plain, quoted } from "./tabular.js";

const MOST_SHOWN = 300;
const $ = (id) => document.getElementById(id);
const grouped = (count) => count.toLocaleString("en").replaceAll(",", "\u202f");
const many = (count, one, more = `${one}s`) => `${grouped(count)} ${count === 1 ? one : more}`;
const TOTALS = $("file-part").dataset.totals.split("|");
const TOTAL_NAMES = new Set(TOTALS);
const MOST_NAMED = 6;
const MOST_SAID = 12;
const FEWEST_SEARCHED = 12;
const MOST_LISTED = 60;

function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

// A worker is code: where the browser asks for it, its address comes from a policy that lets nothing else through.
const workerUrl = new URL("./rows-worker.js", import.meta.url).href;
const policy = window.trustedTypes?.createPolicy("console-worker", {
  createScriptURL: (url) => {
    if (url !== workerUrl) throw new TypeError("no other code is run");
    return url;
  },
});
const worker = new Worker(policy ? policy.createScriptURL(workerUrl) : workerUrl, { type: "module" });

let file = null;
let found = null;
let counted = null;
let isReading = false;

const fail = (text) => {
  isReading = false;
  $("file-progress").hidden = true;
  $("file-error").hidden = false;
  $("file-error").textContent = text;
};

const failCount = (text) => {
  $("count").disabled = false;
  $("counted").replaceChildren(element("p", { className: "error" }, text));
};

function read(how = {}) {
  if (!file) return;
  isReading = true;
  $("file-error").hidden = true;
  $("file-progress").hidden = false;
  $("counted").replaceChildren();
  $("progress").value = 0;
  $("progress-text").textContent = "";
  worker.postMessage({ kind: "read", file, totals: TOTALS, totalsIn: $("totals-in").checked, how });
  sayStale();
}

// What was chosen stays in this tab while the page is sent and shown again: names of columns and the values listed for
// them, and no row. A browser lets no page choose a file again by itself.
const KEPT = "new-data";

function keep() {
  const columns = Object.fromEntries(found.names.flatMap((name, at) => ($(`levels-${at}`) ? [[name, {
    ticked: $(`column-${at}`).checked, levels: found.columns[at].isIdentifying ? "" : $(`levels-${at}`).value, rule: ruleOf(at), name: $(`name-${at}`)?.value ?? "",
    missing: $(`missing-${at}`)?.value ?? "out",
  }]] : [])));
  sessionStorage.setItem(KEPT, JSON.stringify({ file: file.name, columns }));
}

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT)) ?? { file: "", columns: {} };
  } catch {
    return { file: "", columns: {} };
  }
}

function take(given) {
  if (!given) return;
  file = given;
  $("totals-in").checked = false;
  read();
}

const isExcel = () => found !== null && found.sheets.length > 0;

function chosenFormat() {
  const namesLine = $("names-line").value === "" ? null : Number($("names-line").value);
  return isExcel() ? { sheet: $("sheet").value, namesLine } : { separator: $("separator").value, encoding: $("encoding").value, namesLine };
}

// What is in a column, for its box.
function contents(column, at) {
  if (column.values === null && !column.isNumber && !column.isDate) return `more than ${grouped(column.most)} different values: no category`;
  const named = (column.values ?? []).map(([value]) => value);
  const blank = column.missing ? ", and rows without a value" : "";
  if (found.numbered.includes(at) && at !== found.person) return "the number of the row";
  if (at === found.person && column.isIdentifying && column.values !== null) return `${many(named.length, "different value")} in ${many(found.rows, "row")}: it identifies people${blank}`;
  if (column.isDate) return `dates: group them by month, quarter or year${blank}`;
  if (column.isMeasured) return `numbers${column.range ? ` from ${column.range.join(" to ")}` : ""}: make groups of them${blank}`;
  if (column.isAsked) return `${many(named.length, "different number")} in ${many(found.rows, "row")}: perhaps counts${blank}`;
  if (column.isIdentifying) return `${many(named.length, "different value")} in ${many(found.rows, "row")}: it identifies people${blank}`;
  return (named.length <= MOST_NAMED ? named.join(", ") || "no value" : many(named.length, "different value")) + blank;
}

// Lines of the file that were completed or skipped.
function completed() {
  const facts = [];
  if (found.short) facts.push(`${many(found.short, "line has", "lines have")} fewer values than there are names: the last columns count as no value.`);
  if (found.blank) facts.push(`${many(found.blank, "line", "lines")} without any value ${found.blank === 1 ? "was" : "were"} skipped.`);
  return facts;
}

function showTotals() {
  $("totals-found").hidden = !found.totals.length;
  if (!found.totals.length) return;
  const said = found.totals.map(({ value, column }) => `“${value}” in the column “${column}”`).join(", ");
  const one = found.totals.length === 1;
  $("totals-said").textContent = `${one ? "A row at the end has" : `${found.totals.length} rows at the end have`} ${said}. ${one ? "It looks like a row" : "They look like rows"} of totals and ${one ? "is" : "are"} ${$("totals-in").checked ? "counted" : "left out"}.`;
}

// The lines in which names can be, and the one in which they were found.
function showNamesLine() {
  const lines = [...new Set([1, 2, 3, found.namesLine])].filter((line) => line > 0).sort((one, other) => one - other);
  $("names-line").replaceChildren(
    ...lines.map((line) => element("option", { value: String(line) }, `line ${line}`)),
    element("option", { value: "0" }, "no line: the first one is data"),
  );
  $("names-line").value = String(found.namesLine);
}

function showFormat() {
  $("text-format").hidden = isExcel();
  $("sheet-part").hidden = !isExcel();
  $("sheet").replaceChildren(...found.sheets.map((name) => element("option", { value: name }, name)));
  $("sheet").value = found.sheet;
  $("separator").value = found.separator;
  $("encoding").value = found.encoding;
  showNamesLine();
}

function showRowKinds() {
  const weights = found.columns.flatMap((column, at) => (column.isWhole ? [at] : []));
  $("weight").replaceChildren(...weights.map((at) => element("option", { value: String(at) }, found.names[at])));
  if (found.counts !== null) $("weight").value = String(found.counts);
  $("row-kind").querySelector("[value=group]").disabled = !weights.length;
  $("row-kind").querySelector("[value=pivot]").disabled = !found.unfolded.length;
  $("row-kind").value = "record";
  if (found.unfolded.length) $("row-kind").value = "";
  else if (found.counts !== null) $("row-kind").value = "group";
  const named = found.unfolded.map((at) => `“${found.names[at]}”`);
  $("pivot-said").hidden = !found.unfolded.length;
  $("pivot-said").textContent = `Are these counts? The columns ${named.slice(0, MOST_NAMED).join(", ")}${named.length > MOST_NAMED ? ` and ${named.length - MOST_NAMED} more` : ""} look like counts of one value each. If they are, they become one column, whose values are their names. As values, the counts themselves would become public.`;
  $("counts-said").hidden = found.counts === null;
  if (found.counts !== null) $("counts-said").textContent = `“${found.names[found.counts]}” looks like the number of records in each row. If it is not, choose “one record”.`;
}

function columnRow(name, at) {
  const column = found.columns[at];
  const earlier = kept().columns[name];
  const cannot = column.values === null && !column.isNumber && !column.isDate;
  const box = element("input", { type: "checkbox", id: `column-${at}`, disabled: cannot });
  box.checked = !cannot && Boolean(earlier?.ticked);
  const label = element("label", { htmlFor: `column-${at}` }, `${name} (${contents(column, at)})`);
  return element("div", { className: "column", id: `row-${at}` }, element("div", { className: "field box" }, box, label));
}

// With many columns: those whose name has what was typed, and those that are ticked.
function filterColumns() {
  const wanted = $("find-column").value.trim().toLowerCase();
  const rest = $("hide-rest").checked;
  let shown = 0;
  found.names.forEach((name, at) => {
    const isTicked = $(`column-${at}`).checked;
    const isShown = (!wanted || name.toLowerCase().includes(wanted)) && (!rest || isTicked);
    $(`row-${at}`).hidden = !isShown;
    if (isShown) shown += 1;
  });
  $("columns-shown").textContent = shown < found.names.length ? `${grouped(shown)} of ${many(found.names.length, "column")} shown` : many(found.names.length, "column");
}

function showFound() {
  isReading = false;
  $("file-progress").hidden = true;
  $("file-found").hidden = false;
  showFormat();
  $("file-summary").textContent = [
    `${many(found.rows, "row")} and ${many(found.names.length, "column")} were read.`, ...completed(), "If the rows below look wrong, choose how the file is written.",
  ].join(" ");
  showTotals();

  const head = element("tr", {}, ...found.names.map((name) => element("th", { scope: "col" }, name)));
  const lines = found.shown.map((row) => element("tr", {}, ...row.map((value) => element("td", {}, value))));
  $("sample").replaceChildren($("sample").caption, element("thead", {}, head), element("tbody", {}, ...lines));
  showRowKinds();

  $("column-rows").replaceChildren(...found.names.map(columnRow));
  $("find-part").hidden = found.names.length < FEWEST_SEARCHED;
  $("find-column").value = "";
  $("hide-rest").checked = false;
  filterColumns();
  const isFew = (column) => !column.isIdentifying && !column.isMeasured && !column.isDate && column.values.length <= MOST_LISTED;
  if (found.names.length <= 2) found.names.forEach((_, at) => { $(`column-${at}`).checked ||= isFew(found.columns[at]) && at !== found.counts; });

  $("person").replaceChildren(
    element("option", { value: "" }, "none: the file names no person"),
    ...found.names.map((name, at) => element("option", { value: String(at) }, name)),
  );
  $("person").value = found.person === null ? "" : String(found.person);
  for (const choice of severalChoices()) choice.checked = false;
  showValues();
  countPeople();
}

const weightColumn = () => ($("row-kind").value === "group" && $("weight").value !== "" ? Number($("weight").value) : null);
const unfolded = () => ($("row-kind").value === "pivot" ? found.unfolded : null);
const isNoAttribute = (at) => at === weightColumn() || (unfolded() ?? []).includes(at);
const ticked = () => found.names.flatMap((_, at) => ($(`column-${at}`).checked && !isNoAttribute(at) ? [at] : []));
const severalChoices = () => [...document.querySelectorAll("input[name=several]")];
const several = () => severalChoices().find((choice) => choice.checked)?.value ?? "";

// Several rows of one person: people are counted by the column that names them.
let people = null;

function countPeople() {
  people = null;
  $("person-part").hidden = $("row-kind").value !== "record";
  $("person-said").textContent = "";
  if ($("row-kind").value !== "record") return;
  if ($("person").value === "") sayPeople();
  else worker.postMessage({ kind: "people", column: Number($("person").value) });
}

function setMost(number) {
  if ($("most_records").value === String(number)) return;
  $("most_records").value = String(number);
  $("most_records").dispatchEvent(new Event("change"));
}

// Each answer and each choice of a column sets the number again, up or down.
function sayPeople() {
  const answer = several();
  const suggested = found.person !== null && $("person").value === String(found.person) ? `“${found.names[found.person]}” looks like the person. ` : "";
  if (people === null && $("person").value !== "") return;
  if (people === null) {
    if (answer === "no") setMost(1);
    $("person-said").textContent = answer === "no" || !answer ? "" : "Choose the column that names the person, or state below what could be, for example by the study protocol.";
    return;
  }
  const { most, count } = people;
  if (answer) setMost(most);
  const inFile = most > 1 ? `${many(count, "person has", "people have")} several rows in this file, the most ${grouped(most)}.` : "Each person has one row in this file.";
  const set = answer && most > 1 ? ` “The most records that one person has” is set to ${grouped(most)} below. That is the true maximum, and would become public. Rather state what could be, for example by the study protocol.` : "";
  const against = answer === "no" && most > 1 ? " You answered that nobody has several rows: one of both is wrong." : "";
  $("person-said").textContent = suggested + inFile + against + set;
}

function showPeople({ column, most, several: count }) {
  if (String(column) !== $("person").value || $("row-kind").value !== "record") return;
  people = { most, count };
  sayPeople();
}

const ruleOf = (at) => $(`rule-${at}`)?.value.trim() ?? "";
const titleOf = (at) => plain($(`name-${at}`)?.value ?? found.names[at]);

// The values of a column that become public, in order, and what stands for them: texts in the file, and groups of numbers
// or dates. Lines are such as "1 = male", "male", "0-17 = child" or "65+". Throws FileError.
function listed(at) {
  const rule = ruleOf(at);
  if (rule) {
    const groups = groupsOf(rule);
    return { names: new Map(groups.groups.map(({ name }) => [name, new Set([name])])), groups, groupLevels: groups.groups.map((_, place) => place), rule };
  }
  const names = new Map();
  const ranges = [];
  for (const line of $(`levels-${at}`).value.split("\n")) {
    const [code, ...rest] = line.split(/\s*(?:=|\t)\s*/);
    const group = groupOf(line);
    const value = group && !rest.length ? plain(line) : plain(code);
    const name = group?.name ?? (plain(rest.join(" ")) || value);
    if (!name) continue;
    if (!names.has(name)) names.set(name, new Set([name]));
    if (value) names.get(name).add(value);
    if (group) ranges.push(group);
  }
  const titles = [...names.keys()];
  const isNumber = found.columns[at].isNumber;
  const groups = ranges.length && isNumber ? { groups: checked(ranges), isDate: false, order: "" } : null;
  return { names, groups, groupLevels: groups ? ranges.map(({ name }) => titles.indexOf(name)) : [], rule: "" };
}

// How many letters differ, to find the name that a mistyped value is meant to be.
function distance(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (one[i - 1] === other[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1);
}

// The name that a value is probably meant to be, or the first one.
function nearest(value, names) {
  const apart = (name) => distance(value.toLowerCase(), name.toLowerCase());
  const best = names.reduce((found, name) => (apart(name) < apart(found) ? name : found));
  return 2 * apart(best) <= value.length ? best : names[0];
}

// The values in the file that are not listed: those that look like totals, those outside the groups, and the others.
function unlisted(at) {
  const { names, groups } = listed(at);
  const known = new Set([...names.values()].flatMap((values) => [...values]));
  const column = found.columns[at];
  const rest = (column.values ?? []).map(([value, rows], place) => ({ value, rows, isTotal: column.isTotal[place] }))
    .filter(({ value }) => !known.has(value) && !(groups && placeOf(groups, value, found.separator) >= 0));
  const others = rest.filter(({ isTotal }) => !isTotal);
  return { totals: rest.filter(({ isTotal }) => isTotal), outside: groups ? others : [], others: groups ? [] : others };
}

function sayUnlisted(at) {
  const place = $(`unlisted-${at}`);
  let names;
  let rest;
  try {
    ({ names } = listed(at));
    rest = unlisted(at);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    place.replaceChildren(element("p", { className: "error" }, `${error.message[0].toUpperCase()}${error.message.slice(1)}.`));
    return;
  }
  const { totals, outside, others } = rest;
  const column = found.columns[at];
  const said = (values) => values.slice(0, MOST_SAID).map(({ value, rows }) => `“${value}” (${many(rows, "row")})`).join(", ") + (values.length > MOST_SAID ? ` and ${values.length - MOST_SAID} more` : "");
  const lines = [];
  if (ruleOf(at)) lines.push(`Public values: ${[...names.keys()].slice(0, MOST_SAID).join(", ")}${names.size > MOST_SAID ? ` and ${names.size - MOST_SAID} more` : ""}.`);
  if (names.size && others.length) {
    const [{ value }] = others;
    lines.push(`In the file and not listed, so left out: ${said(others)}. To count a value under one of your names, add a line such as “${value} = ${nearest(value, [...names.keys()])}”.`);
  }
  if (outside.length) {
    const rows = outside.reduce((sum, each) => sum + each.rows, 0);
    lines.push(`${many(rows, "row is", "rows are")} outside the groups, and left out. This number stays in this browser.${column.isDate ? " For dates such as 03/04/2020, write “month (day first) from …” or “month (month first) from …”." : ""}`);
  }
  if (totals.length) lines.push(`${said(totals)} ${totals.length === 1 ? "looks like a total" : "look like totals"} of other rows, and ${totals.length === 1 ? "is" : "are"} left out. List the value if it is none.`);
  place.replaceChildren(...lines.map((line) => element("p", {}, line)));
  const inFile = new Set((column.values ?? []).map(([value]) => value));
  const area = $(`levels-${at}`);
  $(`taken-${at}`).hidden = !area.dataset.taken || ![...names.keys()].every((name) => inFile.has(name));
  $(`list-${at}`).hidden = Boolean(ruleOf(at)) || column.values === null;
}

// What a column of numbers or dates is grouped by: typed or chosen, and never taken from the data.
function rulePart(at, earlier) {
  const column = found.columns[at];
  if (!column.isNumber && !column.isDate) return [];
  const input = element("input", { id: `rule-${at}`, spellcheck: false, autocomplete: "off", "aria-describedby": `rule-hint-${at}` });
  input.setAttribute("list", column.isDate ? "date-rules" : "number-rules");
  input.value = earlier?.rule ?? "";
  input.addEventListener("input", () => sayUnlisted(at));
  const hint = column.isDate
    ? "Such as “month from 2020-01 to 2020-12”, “quarter from 2020-01 to 2021-12” or “year from 2018 to 2020”."
    : "Such as “0-17, 18-64, 65+”, “from 0, 18, 65” or “every 10 from 0 to 99”.";
  return [element(
    "div",
    { className: "field" },
    element("label", { htmlFor: `rule-${at}` }, column.isDate ? "Groups of dates" : "Groups of numbers"),
    element("p", { className: "hint", id: `rule-hint-${at}` }, `${hint} The bounds become public: choose them without looking at the data.`),
    input,
  )];
}

function namePart(at, earlier) {
  if (!isUnnamed(found.names[at], at)) return [];
  const input = element("input", { id: `name-${at}`, maxLength: 200, autocomplete: "off" });
  input.value = earlier?.name ?? "";
  return [element("div", { className: "field" }, element("label", { htmlFor: `name-${at}` }, "Name of this column, which has none in the file"), input)];
}

function valuesPart(at) {
  const column = found.columns[at];
  const earlier = kept().columns[found.names[at]];
  const area = element("textarea", { id: `levels-${at}`, rows: 6, spellcheck: false, "aria-describedby": `levels-hint-${at}` });
  area.value = earlier?.levels ?? "";
  area.addEventListener("input", () => sayUnlisted(at));
  const button = element("button", { type: "button" }, "Take the values from the file");
  button.addEventListener("click", () => {
    area.value = column.values.filter((_, place) => !column.isTotal[place]).map(([value]) => value).sort((one, other) => one.localeCompare(other, "en", { numeric: true })).join("\n");
    area.dataset.taken = "yes";
    sayUnlisted(at);
    changed();
  });
  const parts = [element("legend", {}, `Possible values of “${found.names[at]}”`), ...namePart(at, earlier)];
  if (column.isIdentifying && column.values !== null) {
    const why = column.isAsked
      ? `“${found.names[at]}” has ${many(column.values.length, "number")} that are mostly different. They may be counts. Group them, or list them only if each may become public.`
      : `“${found.names[at]}” has ${many(column.values.length, "different value")} in ${many(found.rows, "row")}. Such a column identifies people, and each value that you list becomes public. Untick it unless its values may be known.`;
    const box = column.isAsked ? "These numbers may be known, and are not counts" : "These values may be known, although they identify people";
    parts.push(
      element("p", { className: "notice bad" }, why),
      element("div", { className: "box" }, element("input", { type: "checkbox", id: `identifies-${at}` }), element("label", { htmlFor: `identifies-${at}` }, box)),
    );
  }
  parts.push(
    ...rulePart(at, earlier),
    element(
      "div",
      { id: `list-${at}` },
      element("label", { htmlFor: `levels-${at}` }, "One value a line. “1 = male” counts the value 1 as male, and “mael = male” a value with a typing error."),
      element("p", { className: "hint", id: `levels-hint-${at}` }, "Paste them from your code book, in the order in which they are to be shown. They become public."),
      area,
      element("p", {}, button),
    ),
    element("p", { className: "notice", id: `taken-${at}`, hidden: true }, "These values become public, and each shows that somebody in the file has it. Compare them with your code book: add what is possible and did not occur, and remove what should not be there."),
    element("div", { id: `unlisted-${at}`, role: "status" }),
  );
  if (column.missing) {
    const choice = element(
      "select",
      { id: `missing-${at}`, "aria-describedby": `missing-hint-${at}` },
      element("option", { value: "out" }, "left out"),
      element("option", { value: "in" }, "counted as the value “missing”"),
    );
    choice.value = earlier?.missing ?? "out";
    parts.push(element(
      "div",
      { className: "field" },
      element("label", { htmlFor: `missing-${at}` }, `${many(column.missing, "row has", "rows have")} no value here. ${column.missing === 1 ? "It is" : "They are"}`),
      element("p", { className: "hint", id: `missing-hint-${at}` }, "How many rows are left out is not published. The value “missing” would become public as a category."),
      choice,
    ));
  }
  return element("fieldset", { "data-column": String(at), className: "values" }, ...parts);
}

// The values stand beside the column that is ticked.
function showValues() {
  const wanted = new Set(ticked());
  $("weight-part").hidden = $("row-kind").value !== "group";
  $("pivot-part").hidden = $("row-kind").value !== "pivot";
  found.names.forEach((_, at) => {
    const row = $(`row-${at}`);
    const part = row.querySelector("fieldset");
    if (part) part.hidden = !wanted.has(at);
    else if (wanted.has(at)) {
      row.append(valuesPart(at));
      sayUnlisted(at);
    }
  });
}

// Everything that the table depends on. A table that was counted under other choices is old.
const choices = () => JSON.stringify([
  file.name, file.size, file.lastModified, found.separator, found.encoding, found.sheet, found.namesLine, $("totals-in").checked,
  weightColumn(), unfolded(), $("pivot-name").value, ticked().map((at) => [at, $(`levels-${at}`).value, ruleOf(at), titleOf(at), $(`missing-${at}`)?.value]),
]);

const isOld = () => counted !== null && !counted.isEdited && (isReading || choices() !== counted.choices);

function sayStale() {
  $("stale").hidden = !isOld();
  $("stale").textContent = isOld() ? "This table is old: the file, the columns or their values were changed after the rows were counted. Press “Count the rows” again." : "";
  if (!isOld()) $("review-said").hidden = true;
}

function changed() {
  if (found && !isReading) keep();
  if (counted) counted.isEdited = false;
  sayStale();
}

// Why the rows can't be counted yet, or "".
function hindrance(columns) {
  const identifying = columns.find((at) => found.columns[at].isIdentifying && !ruleOf(at) && !listedGroups(at) && !$(`identifies-${at}`)?.checked);
  const empty = columns.find((at) => listed(at).names.size < 1);
  const nameless = columns.find((at) => !titleOf(at));
  if ($("row-kind").value === "") return "Say first what each row is: one record, a group, or several groups.";
  if (!columns.length && !unfolded()) return "Tick at least one column first.";
  if (unfolded() && !plain($("pivot-name").value)) return "Name the column that the columns of counts become.";
  if ($("row-kind").value === "record" && !several()) return "Say first whether a person can have several rows.";
  if (nameless !== undefined) return `Name the column “${found.names[nameless]}” first.`;
  if (identifying !== undefined) {
    return found.columns[identifying].isAsked
      ? `The numbers in “${found.names[identifying]}” may be counts. Group them, untick the column, or tick that they may be known.`
      : `The column “${found.names[identifying]}” identifies people. Untick it, or tick that its values may be known.`;
  }
  return empty === undefined ? "" : `List the possible values of “${found.names[empty]}” first.`;
}

// Whether all that is listed of a column are groups.
function listedGroups(at) {
  const { names, groups } = listed(at);
  return groups !== null && groups.groups.length === names.size;
}

function count() {
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
    titles.push(unfolded().map((at) => found.names[at]));
  }
  counted = { heads, titles, choices: choices(), isEdited: false, notListed: columns.flatMap((at) => unlisted(at).others.map(({ value }) => `“${value}” in “${found.names[at]}”`)) };
  $("count").disabled = true;
  $("counted").replaceChildren(element("p", {}, "The rows are being counted."));
  worker.postMessage({ kind: "count", columns: wanted, weight: weightColumn(), unfold: unfolded() });
}

function cellsOf(titles) {
  return titles.reduce((cells, each) => cells.flatMap((cell) => each.map((value) => [...cell, value])), [[]]);
}

function showCounted({ counts, left }) {
  $("count").disabled = false;
  $("file-error").hidden = true;
  const records = counts.reduce((sum, each) => sum + each, 0);
  const unlistedValues = `${counted.notListed.slice(0, MOST_SAID).join(", ")}${counted.notListed.length > MOST_SAID ? ` and ${counted.notListed.length - MOST_SAID} more` : ""}`;
  const why = (...values) => [
    left.missing ? `${grouped(left.missing)} with a missing value` : "",
    left.total ? `${grouped(left.total)} that ${left.total === 1 ? "looks like a total" : "look like totals"}` : "",
    left.outside ? `${grouped(left.outside)} outside the groups` : "",
    left.uncounted ? `${many(left.uncounted, "row")} without a count, which is not 0` : "",
    left.unlisted ? [`${grouped(left.unlisted)} with a value that is not listed`, ...values].join(": ") : "",
  ].filter(Boolean);
  const out = why(unlistedValues);
  $("counted").replaceChildren(
    element("p", { className: "notice good" }, `${many(records, "record was", "records were")} counted into ${many(counts.length, "category", "categories")} and written into the table below.${out.length ? ` Left out: ${out.join(", ")}.` : ""}`),
  );
  const head = [...counted.heads, "count"].map(quoted).join(",");
  const lines = cellsOf(counted.titles).map((cell, at) => [...cell.map(quoted), counts[at]].join(","));
  $("table").value = [head, ...lines].join("\n");
  const totals = found.totals.length && !$("totals-in").checked ? [$("totals-said").textContent] : [];
  keepLeftOut($("table").value, [...(out.length ? [`Left out of “${file.name}”: ${why().join(", ")}.`] : []), ...completed(), ...totals]);
  $("compare-part").hidden = false;
  $("numbers-of-file").disabled = false;
  sayTable();
  sayStale();
}

// The table in the text field. What the page counted itself was asked for there: its numbers are values.
const tableIn = (text) => pastedTable(text, {
  totals: TOTAL_NAMES,
  unfold: $("unfold")?.value ?? "",
  numbersAreValues: !$("numbers-of-file").disabled || ($("numbers_are_values")?.checked ?? false),
  totalsAreValues: $("totals_are_values")?.checked ?? false,
});

// The combinations without records, each with a box for “can't occur”. What was ticked stays ticked.
function showAbsent({ names, lines }) {
  const values = names.map((_, at) => [...new Set(lines.map((line) => line.values[at]))]);
  const combinations = values.reduce((product, each) => product * each.length, 1);
  const counts = new Map(lines.map((line) => [JSON.stringify(line.values), line.count]));
  const absent = names.length > 1 && combinations <= MOST_CELLS ? cellsOf(values).filter((cell) => !counts.get(JSON.stringify(cell))) : [];
  const before = new Set([...$("impossible").querySelectorAll("input:checked")].map((box) => JSON.stringify(JSON.parse(box.value))));
  const boxes = absent.slice(0, MOST_SHOWN).map((cell, at) => {
    const value = JSON.stringify(cell);
    const box = element("input", { type: "checkbox", id: `absent-${at}`, name: "impossible", value });
    box.checked = before.has(value);
    return element("div", { className: "field box" }, box, element("label", { htmlFor: box.id }, element("bdi", {}, cell.join(" · ")), " can't occur"));
  });
  const more = absent.length > MOST_SHOWN ? [element("p", { className: "hint" }, `And ${grouped(absent.length - MOST_SHOWN)} more. Where they can't occur, strike their lines out of the table and tick the box above.`)] : [];
  $("impossible").replaceChildren($("impossible").querySelector("legend"), ...boxes, ...more);
  $("impossible").hidden = !absent.length;
  const unlisted = absent.filter((cell) => !counts.has(JSON.stringify(cell))).length;
  if (unlisted) $("impossible-part").open = true;
  return unlisted;
}

// The records of each category of a table.
const cellsIn = ({ lines }) => lines.map(({ values, count }) => [values.join(" · "), count]);

function sayTable() {
  $("table-said").textContent = "";
  if (!$("table").value.trim()) {
    $("impossible").hidden = true;
    return;
  }
  let table;
  try {
    table = tableIn($("table").value);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    $("table-said").textContent = error.message;
    return;
  }
  const records = table.lines.reduce((sum, { count }) => sum + count, 0);
  const isGood = Number.isSafeInteger(records) && records > 0;
  const missing = showAbsent(table);
  if (!isGood) return;
  $("table-said").textContent = `${many(table.lines.length, "line")} with ${many(records, "record")}.${missing ? ` ${many(missing, "combination is", "combinations are")} not listed, which counts as 0 unless you tick below that it can't occur.` : ""}`;
  setRecords(records);
  const preset = `1e-${Math.min(15, Math.ceil(Math.log10(records)) + 3)}`;
  if (!$("delta").value || $("delta").value === $("delta").dataset.preset) {
    $("delta").value = preset;
    $("delta").dataset.preset = preset;
  }
}

function compare() {
  let own;
  let mine;
  try {
    [own, mine] = [$("own"), $("table")].map((field) => new Map(cellsIn(tableIn(field.value))));
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    $("compared").replaceChildren(element("p", { className: "error" }, error.message));
    return;
  }
  const all = [...new Set([...mine.keys(), ...own.keys()])];
  const differing = all.filter((cell) => mine.get(cell) !== own.get(cell));
  if (!differing.length) {
    $("compared").replaceChildren(element("p", { className: "notice good" }, `All ${grouped(all.length)} categories agree.`));
    return;
  }
  const shown = (value) => (value === undefined ? "–" : grouped(value));
  const lines = differing.slice(0, MOST_SHOWN).map((cell) => element("tr", { className: "differs" }, element("th", { scope: "row" }, cell), element("td", { className: "number" }, shown(mine.get(cell))), element("td", { className: "number" }, shown(own.get(cell)))));
  const head = element("tr", {}, ...["Category", "Counted here", "Your table"].map((text, at) => element("th", { scope: "col", className: at ? "number" : "" }, text)));
  $("compared").replaceChildren(
    element("p", { className: "notice bad" }, `${grouped(differing.length)} of ${grouped(all.length)} categories differ.`),
    element("table", {}, element("caption", {}, "Categories that differ"), element("thead", {}, head), element("tbody", {}, ...lines)),
  );
}

worker.addEventListener("message", ({ data }) => {
  if (data.kind === "progress") {
    $("progress").value = data.total ? data.done / data.total : 1;
    $("progress-text").textContent = `${grouped(data.rows)} rows so far`;
  } else if (data.kind === "read") {
    found = data;
    showFound();
    sayStale();
  } else if (data.kind === "counted") {
    showCounted(data);
  } else if (data.kind === "people") {
    showPeople(data);
  } else if (data.kind === "uncounted") {
    failCount(data.text);
  } else {
    fail(data.text);
  }
});
worker.addEventListener("error", () => fail("The file could not be read here."));

const drop = $("drop");
for (const name of ["dragenter", "dragover"]) {
  drop.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
}
for (const name of ["dragleave", "drop"]) drop.addEventListener(name, () => drop.classList.remove("over"));
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  take(event.dataTransfer.files[0]);
});
$("file").addEventListener("change", () => take($("file").files[0]));
$("encoding").replaceChildren(...ENCODINGS.map((name) => element("option", { value: name }, name)));
for (const id of ["separator", "encoding", "names-line", "totals-in"]) $(id).addEventListener("change", () => read(chosenFormat()));
$("sheet").addEventListener("change", () => read({ sheet: $("sheet").value }));
for (const id of ["weight", "row-kind", "person"]) $(id).addEventListener("change", countPeople);
for (const choice of severalChoices()) choice.addEventListener("change", sayPeople);
for (const id of ["find-column", "hide-rest"]) $(id).addEventListener("input", filterColumns);
$("file-found").addEventListener("change", () => {
  if (isReading) return;
  showValues();
  changed();
});
for (const id of ["column-rows", "pivot-name"]) $(id).addEventListener("input", changed);
$("count").addEventListener("click", count);
$("compare").addEventListener("click", compare);
$("table").addEventListener("input", () => {
  // A table that is edited by hand is no longer that of the file.
  if (counted) counted.isEdited = true;
  $("numbers-of-file").disabled = true;
  sayStale();
});
for (const id of ["table", "totals_are_values", "numbers_are_values", "unfold"]) $(id)?.addEventListener("change", sayTable);
$("registration").addEventListener("submit", (event) => {
  if (!isOld()) return;
  event.preventDefault();
  $("review-said").hidden = false;
  $("review-said").textContent = "The table is old: columns, values or options were changed after the rows were counted. Press “Count the rows” again.";
}, { capture: true });

function chooseBudget() {
  $("new-budget").hidden = $("budget").value !== "new";
  warn();
}
$("budget").addEventListener("change", chooseBudget);

$("file-part").hidden = false;
if ($("table").value.trim() && kept().file) {
  $("file-again").hidden = false;
  $("file-again").textContent = `The table below was counted from “${kept().file}” and is kept. To change what is counted, choose the file again: the columns and values that you chose are kept in this tab.`;
} else {
  sessionStorage.removeItem(KEPT);
}
beginBudget();
chooseBudget();
sayTable();
