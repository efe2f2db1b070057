// The table in the text field: its records, the combinations that it lacks, and a comparison.

import { MOST_CELLS } from "./counting.js";
import { cellsOf } from "./counted.js";
import { $, element, grouped, many, MOST_SHOWN } from "./page.js";
import { pastedTable } from "./pasted.js";
import { setTable } from "./protection.js";
import { showTable } from "./summary.js";
import { FileError } from "./tabular.js";

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

// Shows what the table has. Returns whether it can be read.
export function sayTable() {
  $("table-said").textContent = "";
  $("as-file").hidden = true;
  if (!$("table").value.trim()) {
    $("impossible").hidden = true;
    setTable(0, null);
    showTable(null);
    return true;
  }
  let table;
  try {
    table = pastedTable($("table").value);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    $("table-said").textContent = error.message;
    $("as-file").hidden = false;
    setTable(0, null);
    showTable(null);
    return false;
  }
  const records = table.lines.reduce((sum, { count }) => sum + count, 0);
  const isGood = Number.isSafeInteger(records) && records > 0;
  const missing = showAbsent(table);
  if (!isGood) return true;
  $("table-said").textContent = `${many(table.lines.length, "line")} with ${many(records, "record")}.${missing ? ` ${many(missing, "combination is", "combinations are")} not listed, which counts as 0 unless you tick in step 3 that it can't occur.` : ""}`;
  setTable(records, table);
  showTable(table);
  return true;
}

export function compare() {
  let own;
  let mine;
  try {
    [own, mine] = [$("own"), $("table")].map((field) => new Map(cellsIn(pastedTable(field.value))));
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
