// The page for a new data set: a file is read and counted here, in the browser, and the table of counts is written into
// the form. Rows stay on this computer.

import { begin as beginBudget, warn, setRecords } from "./budget.js";
import { findSeparator, quoted, readRows } from "./csv.js";

const MOST_SHOWN = 300;
const $ = (id) => document.getElementById(id);
const grouped = (count) => count.toLocaleString("en").replaceAll(",", "\u202f");
const many = (count, one, more = `${one}s`) => `${grouped(count)} ${count === 1 ? one : more}`;
const TOTALS = $("file-part").dataset.totals.split("|");
const MOST_CELLS = 10000;
const MOST_NAMED = 6;
const MOST_SAID = 12;
const COUNTED_BY = /^(count|counts|n|number|freq|frequency|anzahl|people|cases|size)$/i;
const PERSON = /patient|person|subject|participant|pseudonym|proband|teilnehmer|\bid\b|\bnr\b|number|nummer/i;

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

function read(choices = {}) {
  if (!file) return;
  isReading = true;
  $("file-error").hidden = true;
  $("file-progress").hidden = false;
  $("counted").replaceChildren();
  $("progress").value = 0;
  $("progress-text").textContent = "";
  worker.postMessage({ kind: "read", file, totals: TOTALS, totalsIn: $("totals-in").checked, ...choices });
  sayStale();
}

// What was chosen stays in this tab while the page is sent and shown again: names of columns and the values listed for
// them, and no row. A browser lets no page choose a file again by itself.
const KEPT = "new-data";

function keep() {
  const columns = Object.fromEntries(found.names.flatMap((name, at) => ($(`levels-${at}`) ? [[name, {
    ticked: $(`column-${at}`).checked, levels: found.columns[at].isIdentifying ? "" : $(`levels-${at}`).value, missing: $(`missing-${at}`)?.value ?? "out",
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

function chosenFormat() {
  return { separator: $("separator").value, encoding: $("encoding").value, header: $("header").value === "yes" };
}

const numberColumns = () => found.columns.flatMap((column, at) => (column.isNumeric && !column.isIdentifying ? [at] : []));
const guessOfCounts = () => numberColumns().find((at) => COUNTED_BY.test(found.names[at]));

// What is in a column, for its box.
function contents(column, at) {
  if (column.values === null) return "more than 5 000 different values: no category";
  const named = column.values.filter((_, at) => !column.isMissing[at]).map(([value]) => value);
  const blank = named.length < column.values.length ? ", and rows without a value" : "";
  if (column.isIdentifying) return `${many(named.length, "different value")} in ${many(found.rows, "row")}: it identifies people`;
  const grouping = column.isMeasured && at !== guessOfCounts() ? ": make groups of these numbers in the file first, such as a column “age group”" : "";
  return (named.length <= MOST_NAMED ? named.join(", ") || "no value" : many(named.length, "different value")) + blank + grouping;
}

function showTotals() {
  $("totals-found").hidden = !found.totals.length;
  if (!found.totals.length) return;
  const said = found.totals.map(({ value, column }) => `“${value}” in the column “${column}”`).join(", ");
  const one = found.totals.length === 1;
  $("totals-said").textContent = `${one ? "A row at the end has" : `${found.totals.length} rows at the end have`} ${said}. ${one ? "It looks like a row" : "They look like rows"} of totals and ${one ? "is" : "are"} ${$("totals-in").checked ? "counted" : "left out"}.`;
}

function showFound() {
  isReading = false;
  $("file-progress").hidden = true;
  $("file-found").hidden = false;
  $("separator").value = found.separator;
  $("encoding").value = found.encoding;
  $("header").value = found.header ? "yes" : "no";
  const ragged = found.ragged ? ` ${many(found.ragged, "line has", "lines have")} another number of values and ${found.ragged === 1 ? "is" : "are"} left out.` : "";
  $("file-summary").textContent =
    `${many(found.rows, "row")} and ${many(found.names.length, "column")} were read.${ragged} If the rows below look wrong, choose another separator or encoding.`;
  showTotals();

  const head = element("tr", {}, ...found.names.map((name) => element("th", { scope: "col" }, name)));
  const lines = found.shown.map((row) => element("tr", {}, ...row.map((value) => element("td", {}, value))));
  $("sample").replaceChildren($("sample").caption, element("thead", {}, head), element("tbody", {}, ...lines));

  const weights = numberColumns();
  const guess = guessOfCounts();
  $("weight").replaceChildren(...weights.map((at) => element("option", { value: String(at) }, found.names[at])));
  if (guess !== undefined) $("weight").value = String(guess);
  $("row-kind").value = guess === undefined ? "record" : "group";
  $("row-kind").disabled = !weights.length;

  const earlier = kept().columns;
  const boxes = found.names.map((name, at) => {
    const column = found.columns[at];
    const box = element("input", { type: "checkbox", id: `column-${at}`, disabled: column.values === null });
    box.checked = column.values !== null && Boolean(earlier[name]?.ticked);
    return element("div", { className: "field box" }, box, element("label", { htmlFor: `column-${at}` }, `${name} (${contents(column, at)})`));
  });
  $("columns").replaceChildren($("columns").querySelector("legend"), ...boxes);
  const isFew = (column) => !column.isIdentifying && column.values.length <= 60;
  if (found.names.length <= 2) found.names.forEach((_, at) => { $(`column-${at}`).checked ||= isFew(found.columns[at]) && at !== guess; });
  $("values").replaceChildren();

  const person = found.columns.findIndex((column, at) => column.isIdentifying && PERSON.test(found.names[at]));
  $("person").replaceChildren(
    element("option", { value: "" }, "none: the file names no person"),
    ...found.names.map((name, at) => element("option", { value: String(at) }, name)),
  );
  $("person").value = person < 0 ? "" : String(person);
  showValues();
  countPeople();
}

const weightColumn = () => ($("row-kind").value === "group" && $("weight").value !== "" ? Number($("weight").value) : null);
const ticked = () => found.names.flatMap((_, at) => ($(`column-${at}`).checked && at !== weightColumn() ? [at] : []));

// Several rows of one person: people are counted by the column that names them.
function countPeople() {
  $("person-part").hidden = weightColumn() !== null;
  $("person-said").textContent = "";
  if (weightColumn() === null && $("person").value !== "") worker.postMessage({ kind: "people", column: Number($("person").value) });
}

function showPeople({ column, most, several }) {
  if (String(column) !== $("person").value) return;
  const field = $("most_records");
  const raises = Number(field.value) < most;
  if (raises) {
    field.value = String(most);
    field.dispatchEvent(new Event("change"));
  }
  $("person-said").textContent = most > 1
    ? `${many(several, "person has", "people have")} several rows in this file, the most ${grouped(most)}.${raises ? " “The most records that one person has” is set to that below." : ""} ${grouped(most)} is the true maximum, and would become public. Rather state what could be, for example by the study protocol.`
    : "Each person has one row in this file.";
}

// Lines such as "1 = male" or "male": the value in the file, and the name that becomes public.
function listed(at) {
  const names = new Map();
  for (const line of $(`levels-${at}`).value.split("\n")) {
    const [code, ...rest] = line.split(/\s*(?:=|\t)\s*/);
    const value = code.trim().replace(/\s+/g, " ");
    const name = rest.join(" ").trim().replace(/\s+/g, " ") || value;
    if (!name) continue;
    if (!names.has(name)) names.set(name, new Set([name]));
    names.get(name).add(value);
  }
  return names;
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

// The values in the file that are not listed: those that look like totals, and the others.
function unlisted(at) {
  const known = new Set([...listed(at).values()].flatMap((values) => [...values]));
  const column = found.columns[at];
  const rest = column.values.map(([value, rows], place) => ({ value, rows, isMissing: column.isMissing[place], isTotal: column.isTotal[place] }))
    .filter(({ value, isMissing }) => !isMissing && !known.has(value));
  return { totals: rest.filter(({ isTotal }) => isTotal), others: rest.filter(({ isTotal }) => !isTotal) };
}

function sayUnlisted(at) {
  const names = listed(at);
  const column = found.columns[at];
  const { totals, others } = unlisted(at);
  const said = (values) => values.slice(0, MOST_SAID).map(({ value, rows }) => `“${value}” (${many(rows, "row")})`).join(", ") + (values.length > MOST_SAID ? ` and ${values.length - MOST_SAID} more` : "");
  const lines = [];
  if (names.size && others.length) {
    const [{ value }] = others;
    lines.push(`In the file and not listed, so left out: ${said(others)}. To count a value under one of your names, add a line such as “${value} = ${nearest(value, [...names.keys()])}”.`);
  }
  if (totals.length) lines.push(`${said(totals)} ${totals.length === 1 ? "looks like a total" : "look like totals"} of other rows, and ${totals.length === 1 ? "is" : "are"} left out. List the value if it is none.`);
  $(`unlisted-${at}`).replaceChildren(...lines.map((line) => element("p", {}, line)));
  // Values that were taken from the file, as long as the list has no other.
  const inFile = new Set(column.values.map(([value]) => value));
  const area = $(`levels-${at}`);
  $(`taken-${at}`).hidden = !area.dataset.taken || ![...names.keys()].every((name) => inFile.has(name));
}

function valuesPart(at) {
  const column = found.columns[at];
  const earlier = kept().columns[found.names[at]];
  const area = element("textarea", { id: `levels-${at}`, rows: 6, spellcheck: false, "aria-describedby": `levels-hint-${at}` });
  area.value = earlier?.levels ?? "";
  area.addEventListener("input", () => sayUnlisted(at));
  const button = element("button", { type: "button" }, "Take the values from the file");
  button.addEventListener("click", () => {
    area.value = column.values.filter((_, place) => !column.isMissing[place] && !column.isTotal[place]).map(([value]) => value).sort((one, other) => one.localeCompare(other, "en", { numeric: true })).join("\n");
    area.dataset.taken = "yes";
    sayUnlisted(at);
    changed();
  });
  const parts = [element("legend", {}, `Possible values of “${found.names[at]}”`)];
  if (column.isIdentifying) {
    parts.push(
      element("p", { className: "notice bad" }, `“${found.names[at]}” has ${many(column.values.length, "different value")} in ${many(found.rows, "row")}. Such a column identifies people, and each value that you list becomes public. Untick it unless its values may be known.`),
      element("div", { className: "box" }, element("input", { type: "checkbox", id: `identifies-${at}` }), element("label", { htmlFor: `identifies-${at}` }, "These values may be known, although they identify people")),
    );
  }
  parts.push(
    element("label", { htmlFor: `levels-${at}` }, "One value a line. “1 = male” counts the value 1 as male, and “mael = male” a value with a typing error."),
    element("p", { className: "hint", id: `levels-hint-${at}` }, "Paste them from your code book, in the order in which they are to be shown. They become public."),
    area,
    element("p", {}, button),
    element("p", { className: "notice", id: `taken-${at}`, hidden: true }, "These values become public, and each shows that somebody in the file has it. Compare them with your code book: add what is possible and did not occur, and remove what should not be there."),
    element("div", { id: `unlisted-${at}`, role: "status" }),
  );
  const missing = column.values.reduce((sum, [, rows], place) => sum + (column.isMissing[place] ? rows : 0), 0);
  if (missing) {
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
      element("label", { htmlFor: `missing-${at}` }, `${many(missing, "row has", "rows have")} no value here. ${missing === 1 ? "It is" : "They are"}`),
      element("p", { className: "hint", id: `missing-hint-${at}` }, "How many rows are left out is not published. The value “missing” would become public as a category."),
      choice,
    ));
  }
  return element("fieldset", { "data-column": String(at) }, ...parts);
}

function showValues() {
  const wanted = ticked();
  $("weight-part").hidden = $("row-kind").value !== "group";
  for (const part of [...$("values").children]) part.hidden = !wanted.includes(Number(part.dataset.column));
  for (const at of wanted) {
    if ($(`levels-${at}`)) continue;
    $("values").append(valuesPart(at));
    sayUnlisted(at);
  }
}

// Everything that the table depends on. A table that was counted under other choices is old.
const choices = () => JSON.stringify([
  file.name, file.size, file.lastModified, found.separator, found.encoding, found.header, $("totals-in").checked,
  weightColumn(), ticked().map((at) => [at, $(`levels-${at}`).value, $(`missing-${at}`)?.value]),
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

function count() {
  const columns = ticked();
  const names = columns.map(listed);
  const empty = columns.filter((_, place) => names[place].size < 1);
  const identifying = columns.filter((at) => found.columns[at].isIdentifying && !$(`identifies-${at}`).checked);
  if (!columns.length) return failCount("Tick at least one column first.");
  if (identifying.length) return failCount(`The column “${found.names[identifying[0]]}” identifies people. Untick it, or tick that its values may be known.`);
  if (empty.length) return failCount(`List the possible values of “${found.names[empty[0]]}” first.`);
  const levels = names.map((each) => [...each.values()].map((values) => [...values]));
  const titles = names.map((each) => [...each.keys()]);
  const missing = columns.map((at, place) => {
    if ($(`missing-${at}`)?.value !== "in") return -1;
    if (titles[place].includes("missing")) return titles[place].indexOf("missing");
    titles[place].push("missing");
    levels[place].push([]);
    return titles[place].length - 1;
  });
  counted = { columns, titles, choices: choices(), isEdited: false, notListed: columns.flatMap((at) => unlisted(at).others.map(({ value }) => `“${value}” in “${found.names[at]}”`)) };
  $("count").disabled = true;
  worker.postMessage({ kind: "count", columns, levels, missing, weight: weightColumn() });
}

function cellsOf(titles) {
  return titles.reduce((cells, each) => cells.flatMap((cell) => each.map((value) => [...cell, value])), [[]]);
}

function showCounted({ counts, left }) {
  $("count").disabled = false;
  $("file-error").hidden = true;
  const records = counts.reduce((sum, each) => sum + each, 0);
  const out = [
    left.missing ? `${grouped(left.missing)} with a missing value` : "",
    left.total ? `${grouped(left.total)} that ${left.total === 1 ? "looks like a total" : "look like totals"}` : "",
    left.unlisted ? `${grouped(left.unlisted)} with a value that is not listed: ${counted.notListed.slice(0, MOST_SAID).join(", ")}${counted.notListed.length > MOST_SAID ? ` and ${counted.notListed.length - MOST_SAID} more` : ""}` : "",
  ].filter(Boolean);
  $("counted").replaceChildren(
    element("p", { className: "notice good" }, `${many(records, "record was", "records were")} counted into ${many(counts.length, "category", "categories")} and written into the table below.${out.length ? ` Left out: ${out.join(", ")}.` : ""}`),
  );
  const head = [...counted.columns.map((at) => found.names[at]), "count"].map(quoted).join(",");
  const lines = cellsOf(counted.titles).map((cell, at) => [...cell.map(quoted), counts[at]].join(","));
  $("table").value = [head, ...lines].join("\n");
  $("compare-part").hidden = false;
  sayTable();
  sayStale();
}

const countIn = (row) => Number(row.at(-1).replace(/\s/g, ""));
const isTotal = (value) => TOTALS.includes((value.toLowerCase().match(/\p{L}+/gu) ?? []).join(" "));

// Whether the service would refuse a line of the table: then the table is not read here, and its boxes stay.
const isWrong = (row, width) => row.length !== width || row.slice(0, -1).some((value) => !value || (isTotal(value) && !$("totals_are_values")?.checked)) || !/^\d+$/.test(row.at(-1).replace(/\s/g, ""));

// The combinations without records, each with a box for “can't occur”. What was ticked stays ticked.
function showAbsent(rows) {
  const width = rows[0]?.length ?? 0;
  const lines = rows.slice(1);
  const values = Array.from({ length: Math.max(0, width - 1) }, (_, at) => [...new Set(lines.map((row) => row[at]))]);
  const combinations = values.reduce((product, each) => product * each.length, 1);
  const counts = new Map(lines.map((row) => [JSON.stringify(row.slice(0, -1)), countIn(row)]));
  const absent = width > 2 && combinations <= MOST_CELLS ? cellsOf(values).filter((cell) => !counts.get(JSON.stringify(cell))) : [];
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

const rowsOf = (text) => readRows(text, findSeparator(text)).map((row) => row.map((value) => value.trim().replace(/\s+/g, " ")));

// The records and categories of a table, as far as it can be read.
function tableOf(text) {
  const rows = rowsOf(text);
  return rows.slice(1).map((row) => [row.slice(0, -1).join(" · "), countIn(row)]);
}

function sayTable() {
  const rows = rowsOf($("table").value);
  const wrong = rows.flatMap((row, at) => (at && isWrong(row, rows[0].length) ? [at + 1] : []));
  if (wrong.length) {
    $("table-said").textContent = `${wrong.length === 1 ? "Line" : "Lines"} ${wrong.slice(0, MOST_NAMED).join(", ")}${wrong.length > MOST_NAMED ? ` and ${wrong.length - MOST_NAMED} more` : ""} can't be read: each line needs a value for each column, and then a whole number, which has no comma or point. Remove rows of totals.`;
    return;
  }
  const cells = $("table").value.trim() ? tableOf($("table").value) : [];
  const records = cells.reduce((sum, [, each]) => sum + each, 0);
  const isGood = cells.length > 0 && Number.isSafeInteger(records) && records > 0;
  const missing = showAbsent(rows);
  $("table-said").textContent = isGood
    ? `${many(cells.length, "line")} with ${many(records, "record")}.${missing ? ` ${many(missing, "combination is", "combinations are")} not listed, which counts as 0 unless you tick below that it can't occur.` : ""}`
    : "";
  if (!isGood) return;
  setRecords(records);
  const preset = `1e-${Math.min(15, Math.ceil(Math.log10(records)) + 3)}`;
  if (!$("delta").value || $("delta").value === $("delta").dataset.preset) {
    $("delta").value = preset;
    $("delta").dataset.preset = preset;
  }
}

function compare() {
  const own = new Map(tableOf($("own").value));
  const mine = new Map(tableOf($("table").value));
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
for (const id of ["separator", "encoding", "header", "totals-in"]) $(id).addEventListener("change", () => read(chosenFormat()));
for (const id of ["weight", "row-kind"]) $(id).addEventListener("change", countPeople);
$("person").addEventListener("change", countPeople);
$("file-found").addEventListener("change", () => {
  if (isReading) return;
  showValues();
  changed();
});
$("values").addEventListener("input", changed);
$("count").addEventListener("click", count);
$("compare").addEventListener("click", compare);
$("table").addEventListener("input", () => {
  // A table that is edited by hand is no longer that of the file.
  if (counted) counted.isEdited = true;
  sayStale();
});
for (const id of ["table", "totals_are_values"]) $(id)?.addEventListener("change", sayTable);
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
