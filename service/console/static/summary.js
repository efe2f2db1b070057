// The summary beside the steps: only what is known, and what was left out.

import { leftOut } from "./left-out.js";
import { $, element, grouped, MOST_SHOWN } from "./page.js";
import { state } from "./state.js";

const MOST_VALUES = 8;
let table = null;

const facts = (pairs) => pairs.filter(([, value]) => value).flatMap(([name, value]) => [element("dt", { "data-fact": name }, name), element("dd", { "data-fact": name }, element("bdi", {}, value))]);

function valuesOf({ names, lines }) {
  return names.map((name, at) => {
    const values = [...new Set(lines.map((line) => line.values[at]))];
    return [name, values.slice(0, MOST_VALUES).join(", ") + (values.length > MOST_VALUES ? ` and ${values.length - MOST_VALUES} more` : "")];
  });
}

export function showSummary() {
  const budget = $("budget");
  const protection = budget.value === "new" ? `ε ${$("epsilon").value}, new budget` : budget.value && "a shared budget";
  const records = table ? table.lines.reduce((sum, { count }) => sum + count, 0) : 0;
  const cells = table ? table.names.map((_, at) => new Set(table.lines.map((line) => line.values[at])).size).reduce((product, each) => product * each, 1) : 0;
  $("facts-so-far").replaceChildren(...facts([
    ["File", state.file?.name ?? ""],
    ["Rows", state.found ? grouped(state.found.rows) : ""],
    ["Records", table ? grouped(records) : ""],
    ["Categories", table ? grouped(cells) : ""],
    ["Name", $("name").value],
    ["One record", $("unit").value],
    ["Protection", protection],
  ]));
  $("values-so-far").replaceChildren(...(table ? facts(valuesOf(table)) : []));
  const said = table ? leftOut($("table").value) : [];
  $("left-out").hidden = !said.length;
  $("left-out").textContent = said.length ? `${said.join(" ")} Only you see this, and nothing of it is sent.` : "";
  $("counts-part").hidden = !table;
}

export function showTable(read) {
  table = read;
  const lines = (read?.lines ?? []).slice(0, MOST_SHOWN).map(({ values, count }) => element("tr", {}, element("th", { scope: "row" }, element("bdi", {}, values.join(" · "))), element("td", { className: "number" }, grouped(count))));
  $("counts-so-far").replaceChildren($("counts-so-far").caption, element("tbody", {}, ...lines));
  showSummary();
}

export function begin() {
  $("summary").hidden = false;
  for (const id of ["name", "unit", "epsilon", "budget", "slider"]) for (const kind of ["input", "change"]) $(id).addEventListener(kind, showSummary);
}
