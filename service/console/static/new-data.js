// The page for a new data set: a file is read and counted here, in the browser, and the table of counts is written into
// the form. Rows stay on this computer.

import { begin as beginBudget, setRecords } from "./budget.js";
import { findSeparator, quoted, readRows } from "./csv.js";

const MOST_SHOWN = 300;
const $ = (id) => document.getElementById(id);
const grouped = (count) => count.toLocaleString("en").replaceAll(",", "\u202f");

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

const fail = (text) => {
  $("file-progress").hidden = true;
  $("file-error").hidden = false;
  $("file-error").textContent = text;
};

function read(choices = {}) {
  if (!file) return;
  $("file-error").hidden = true;
  $("file-progress").hidden = false;
  $("progress").value = 0;
  $("progress-text").textContent = "";
  worker.postMessage({ kind: "read", file, ...choices });
}

function take(given) {
  if (!given) return;
  file = given;
  read();
}

function chosenFormat() {
  return { separator: $("separator").value, encoding: $("encoding").value, header: $("header").value === "yes" };
}

function showFound() {
  $("file-progress").hidden = true;
  $("file-found").hidden = false;
  $("separator").value = found.separator;
  $("encoding").value = found.encoding;
  $("header").value = found.header ? "yes" : "no";
  const ragged = found.ragged ? ` ${grouped(found.ragged)} lines have another number of values and are left out.` : "";
  $("file-summary").textContent =
    `${grouped(found.rows)} rows and ${found.names.length} columns were read in ${found.seconds.toFixed(1)} seconds.${ragged} If the rows below look wrong, choose another separator or encoding.`;

  const head = element("tr", {}, ...found.names.map((name) => element("th", { scope: "col" }, name)));
  const lines = found.shown.map((row) => element("tr", {}, ...row.map((value) => element("td", {}, value))));
  $("sample").replaceChildren($("sample").caption, element("thead", {}, head), element("tbody", {}, ...lines));

  const weights = found.columns.flatMap((column, at) => (column.isNumeric ? [at] : []));
  const guess = weights.find((at) => /^(count|counts|n|number|freq|frequency|anzahl|people|cases|size)$/i.test(found.names[at]));
  $("weight").replaceChildren(
    element("option", { value: "" }, "one record"),
    ...weights.map((at) => element("option", { value: String(at) }, `as many records as “${found.names[at]}” says`)),
  );
  $("weight").value = guess === undefined ? "" : String(guess);

  const few = (column) => column.values !== null && column.values.length <= 60;
  const boxes = found.names.map((name, at) => {
    const column = found.columns[at];
    const box = element("input", { type: "checkbox", id: `column-${at}`, disabled: column.values === null });
    box.addEventListener("change", showValues);
    const said = column.values === null ? "more than 5 000 different values: no category" : `${column.values.length} different values`;
    return element("div", { className: "field box" }, box, element("label", { htmlFor: `column-${at}` }, `${name} (${said})`));
  });
  $("columns").replaceChildren($("columns").querySelector("legend"), ...boxes);
  if (found.names.length <= 2) found.names.forEach((_, at) => { $(`column-${at}`).checked = few(found.columns[at]) && at !== guess; });
  $("values").replaceChildren();
  showValues();
}

const ticked = () => found.names.flatMap((_, at) => ($(`column-${at}`).checked && String(at) !== $("weight").value ? [at] : []));

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

function sayUnlisted(at) {
  const known = new Set([...listed(at).values()].flatMap((values) => [...values]));
  const column = found.columns[at];
  const missing = column.values.filter(([value], place) => column.isMissing[place] && !known.has(value));
  const totals = column.values.filter(([value], place) => column.isTotal[place] && !known.has(value));
  const others = column.values.filter(([value], place) => !column.isMissing[place] && !column.isTotal[place] && !known.has(value));
  const said = (values) => values.slice(0, 12).map(([value, rows]) => `“${value}” (${grouped(rows)} rows)`).join(", ") + (values.length > 12 ? ` and ${values.length - 12} more` : "");
  const lines = [];
  if (known.size && others.length) lines.push(`In the file and not listed, so left out: ${said(others)}.`);
  if (totals.length) lines.push(`${said(totals)} look like totals of other rows, and are left out. List the value if it is none.`);
  if (missing.length) lines.push(`Missing: ${grouped(missing.reduce((sum, [, rows]) => sum + rows, 0))} rows.`);
  $(`unlisted-${at}`).replaceChildren(...lines.map((line) => element("p", {}, line)));
}

function showValues() {
  const wanted = ticked();
  for (const part of [...$("values").children]) part.hidden = !wanted.includes(Number(part.dataset.column));
  for (const at of wanted) {
    if ($(`levels-${at}`)) continue;
    const area = element("textarea", { id: `levels-${at}`, rows: 6, spellcheck: false, "aria-describedby": `levels-hint-${at}` });
    area.addEventListener("input", () => sayUnlisted(at));
    const button = element("button", { type: "button" }, "Take the values from the file");
    const warning = element("p", { className: "notice", hidden: true }, "These values become public, and each tells that somebody in the file has it. Compare them with your code book: add what is possible and did not occur, and remove what should not be there.");
    button.addEventListener("click", () => {
      const column = found.columns[at];
      area.value = column.values.filter((_, place) => !column.isMissing[place] && !column.isTotal[place]).map(([value]) => value).sort((one, other) => one.localeCompare(other, "en", { numeric: true })).join("\n");
      warning.hidden = false;
      sayUnlisted(at);
    });
    $("values").append(element(
      "fieldset",
      { "data-column": String(at) },
      element("legend", {}, `Possible values of “${found.names[at]}”`),
      element("label", { htmlFor: `levels-${at}` }, "One a line; “1 = male” gives the value 1 a name"),
      element("p", { className: "hint", id: `levels-hint-${at}` }, "Paste them from your code book, in the order in which they are to be shown. They become public."),
      area,
      element("p", {}, button),
      warning,
      element("div", { id: `unlisted-${at}`, role: "status" }),
    ));
    sayUnlisted(at);
  }
  const rows = wanted.reduce((sum, at) => sum + found.columns[at].values.reduce((part, [, count], place) => part + (found.columns[at].isMissing[place] ? count : 0), 0), 0);
  $("missing-said").textContent = rows ? `There are ${grouped(rows)} missing values in these columns.` : "There are none.";
}

function count() {
  const columns = ticked();
  const names = columns.map(listed);
  const empty = columns.filter((_, place) => names[place].size < 1);
  if (!columns.length || empty.length) {
    $("counted").replaceChildren(element("p", { className: "error" }, columns.length ? `List the possible values of “${found.names[empty[0]]}” first.` : "Tick at least one column first."));
    return;
  }
  const keepsMissing = $("missing-in").checked;
  const levels = names.map((each) => [...each.values()].map((values) => [...values]));
  const titles = names.map((each) => [...each.keys()]);
  const missing = columns.map((at, place) => {
    if (!keepsMissing || !found.columns[at].isMissing.some(Boolean)) return -1;
    if (titles[place].includes("missing")) return titles[place].indexOf("missing");
    titles[place].push("missing");
    levels[place].push([]);
    return titles[place].length - 1;
  });
  const weight = $("weight").value === "" ? null : Number($("weight").value);
  counted = { columns, titles, impossible: new Set() };
  $("count").disabled = true;
  worker.postMessage({ kind: "count", columns, levels, missing, weight });
}

function cellsOf(titles) {
  return titles.reduce((cells, each) => cells.flatMap((cell) => each.map((value) => [...cell, value])), [[]]);
}

function writeTable() {
  const head = [...counted.columns.map((at) => found.names[at]), "count"].map(quoted).join(",");
  const lines = counted.cells.flatMap((cell, at) => (counted.impossible.has(at) ? [] : [[...cell.map(quoted), counted.counts[at]].join(",")]));
  $("table").value = [head, ...lines].join("\n");
  sayTable();
}

function showCounted({ counts, left, seconds }) {
  $("count").disabled = false;
  counted.counts = counts;
  counted.cells = cellsOf(counted.titles);
  const records = counts.reduce((sum, each) => sum + each, 0);
  const out = [
    left.missing ? `${grouped(left.missing)} with a missing value` : "",
    left.total ? `${grouped(left.total)} that look like totals` : "",
    left.unlisted ? `${grouped(left.unlisted)} with a value that is not listed` : "",
  ].filter(Boolean);
  $("counted").replaceChildren(
    element("p", { className: "notice good" }, `${grouped(records)} records were counted into ${grouped(counts.length)} cells in ${seconds.toFixed(1)} seconds, and written into the table below.${out.length ? ` Left out: ${out.join(", ")}.` : ""}`),
  );
  const zero = counted.cells.flatMap((cell, at) => (counts[at] === 0 ? [at] : []));
  $("impossible-part").hidden = counted.columns.length < 2 || !zero.length;
  $("impossible").replaceChildren(...zero.slice(0, MOST_SHOWN).map((at) => {
    const box = element("input", { type: "checkbox", id: `cell-${at}` });
    box.addEventListener("change", () => {
      if (box.checked) counted.impossible.add(at);
      else counted.impossible.delete(at);
      writeTable();
    });
    return element("div", { className: "field box" }, box, element("label", { htmlFor: `cell-${at}` }, counted.cells[at].join(" · ")));
  }));
  if (zero.length > MOST_SHOWN) $("impossible").append(element("p", { className: "hint" }, `And ${grouped(zero.length - MOST_SHOWN)} more without records: strike lines out of the table below where they can't occur.`));
  $("compare-part").hidden = false;
  writeTable();
}

// The records and cells of the table in the form, as far as it can be read.
function tableOf(text) {
  const rows = readRows(text, findSeparator(text)).map((row) => row.map((value) => value.trim()));
  return rows.slice(1).map((row) => [row.slice(0, -1).join(" · "), Number((row.at(-1) ?? "").replace(/[\s\u202f]/g, ""))]);
}

function sayTable() {
  const cells = $("table").value.trim() ? tableOf($("table").value) : [];
  const records = cells.reduce((sum, [, each]) => sum + each, 0);
  const isGood = cells.length > 0 && Number.isSafeInteger(records) && records > 0;
  $("table-said").textContent = isGood ? `${grouped(cells.length)} cells with ${grouped(records)} records.` : "";
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
    $("compared").replaceChildren(element("p", { className: "notice good" }, `All ${grouped(all.length)} cells agree.`));
    return;
  }
  const shown = (value) => (value === undefined ? "–" : grouped(value));
  const lines = differing.slice(0, MOST_SHOWN).map((cell) => element("tr", { className: "differs" }, element("th", { scope: "row" }, cell), element("td", { className: "number" }, shown(mine.get(cell))), element("td", { className: "number" }, shown(own.get(cell)))));
  const head = element("tr", {}, ...["Cell", "Counted here", "Your table"].map((text, at) => element("th", { scope: "col", className: at ? "number" : "" }, text)));
  $("compared").replaceChildren(
    element("p", { className: "notice bad" }, `${grouped(differing.length)} of ${grouped(all.length)} cells differ.`),
    element("table", {}, element("caption", {}, "Cells that differ"), element("thead", {}, head), element("tbody", {}, ...lines)),
  );
}

worker.addEventListener("message", ({ data }) => {
  if (data.kind === "progress") {
    $("progress").value = data.total ? data.done / data.total : 1;
    $("progress-text").textContent = `${grouped(data.rows)} rows so far`;
  } else if (data.kind === "read") {
    found = data;
    showFound();
  } else if (data.kind === "counted") {
    showCounted(data);
  } else {
    $("count").disabled = false;
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
for (const id of ["separator", "encoding", "header"]) $(id).addEventListener("change", () => read(chosenFormat()));
$("weight").addEventListener("change", showValues);
$("count").addEventListener("click", count);
$("compare").addEventListener("click", compare);
$("table").addEventListener("change", sayTable);
$("budget").addEventListener("change", () => { $("new-budget").hidden = $("budget").value !== "new"; });

$("file-part").hidden = false;
$("new-budget").hidden = $("budget").value !== "new";
beginBudget();
sayTable();
