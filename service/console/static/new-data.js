// The page for a new data set: a file is read and counted here, in the browser, and the table of counts is written into
// the form. Rows stay on this computer.

import { chosenFormat, fail, findTotals, read, showFound, showTotals, take } from "./chosen-file.js";
import { filterColumns, keep, kept, KEPT, severalChoices, showColumns, showValues } from "./columns.js";
import { changed, count, failCount, isOld, sayStale, showCounted, whatIsMissing, whatRowsAre } from "./counted.js";
import { ENCODINGS } from "./encodings.js";
import { forget } from "./kept.js";
import { keepFields, restoreFields } from "./kept-fields.js";
import { begin as beginLike, sayUnlike } from "./like.js";
import { $, element, grouped, onDrop } from "./page.js";
import { countPeople, sayPeople, showPeople } from "./people.js";
import { begin as beginProtection } from "./protection.js";
import { state, worker } from "./state.js";
import { begin as beginSteps, go } from "./steps.js";
import { begin as beginSummary } from "./summary.js";
import { compare, sayTable } from "./table-field.js";

worker.addEventListener("message", ({ data }) => {
  if (data.kind === "progress") {
    $("progress").value = data.total ? data.done / data.total : 1;
    $("progress-text").textContent = `${grouped(data.rows)} rows so far`;
  } else if (data.kind === "read") {
    state.found = data;
    showFound();
    sayUnlike();
    sayStale();
  } else if (data.kind === "counted") {
    showCounted(data);
  } else if (data.kind === "totals") {
    showTotals(data);
  } else if (data.kind === "people") {
    showPeople(data);
  } else if (data.kind === "uncounted") {
    failCount(data.text);
  } else {
    fail(data.text, data.written);
  }
});
worker.addEventListener("error", () => fail("The file could not be read here."));

onDrop($("drop"), ([file]) => take(file));
$("file").addEventListener("change", () => take($("file").files[0]));
$("encoding").replaceChildren(...ENCODINGS.map((name) => element("option", { value: name }, name)));
for (const id of ["separator", "encoding", "names-line", "two-lines", "fill-down"]) $(id).addEventListener("change", () => read(chosenFormat()));
$("rows-asked").addEventListener("change", (event) => {
  if (event.target.id === "pivot-name") return;
  findTotals();
  countPeople();
});
$("person").addEventListener("change", countPeople);
$("totals-found").addEventListener("change", () => {
  keep();
  showColumns();
});
for (const choice of severalChoices()) choice.addEventListener("change", sayPeople);
for (const id of ["find-column", "hide-rest"]) $(id).addEventListener("input", filterColumns);
for (const id of ["file-found", "rows-part"]) {
  $(id).addEventListener("change", () => {
    $("row-kind-error").hidden = true;
    if (state.isReading || !state.found) return;
    showValues();
    changed();
  });
}
for (const id of ["column-rows", "pivot-name"]) $(id).addEventListener("input", changed);
$("count").addEventListener("click", count);
$("compare").addEventListener("click", compare);
$("table").addEventListener("input", () => {
  // A table that is edited by hand is no longer that of the file.
  if (state.counted) state.counted.isEdited = true;
  sayStale();
});
$("table").addEventListener("change", sayTable);
// What was pasted into the empty field and is not written as the form needs it is read as a file is.
const asFile = () => take(new File([$("table").value], "Pasted table"), true);
$("table").addEventListener("paste", () => {
  if (!$("table").value.trim()) setTimeout(() => { if (!sayTable()) asFile(); });
});
$("as-file").addEventListener("click", asFile);

// The rows are counted before a later step is shown, if they were not, or under other choices.
function next(step, wanted) {
  const why = step === 1 && state.found ? whatRowsAre() : "";
  $("row-kind-error").hidden = !why;
  $("row-kind-error").textContent = why;
  if (why) {
    $("row-kind-error").scrollIntoView({ block: "center" });
    return false;
  }
  const missing = step === 2 && state.counted && !isOld() ? whatIsMissing() : "";
  $("counted-error").hidden = !missing;
  $("counted-error").textContent = missing;
  if (missing) return false;
  if (step > 2 || wanted < 3 || !state.found || (state.counted && !isOld())) return true;
  if (step === 1) go(2);
  state.onCounted = () => {
    state.onCounted = null;
    go(wanted);
  };
  count();
  return false;
}

$("registration").addEventListener("submit", (event) => {
  if (!isOld() || event.submitter?.id !== "register") return;
  event.preventDefault();
  $("review-said").hidden = false;
  $("review-said").textContent = "The table is old: columns, values or options were changed after the rows were counted. Press “Count the rows” in step 2.";
}, { capture: true });

// A registration that takes a moment says so.
$("registration").addEventListener("submit", (event) => {
  if (event.defaultPrevented || event.submitter?.id !== "register") return;
  setTimeout(() => { $("register").textContent = "Registering …"; }, 300);
});

const taken = new Set([...$("taken-names").options].map((each) => each.value));
function sayTaken() {
  $("name-taken").hidden = !taken.has($("name").value.trim().replace(/\s+/g, " "));
}
$("name").addEventListener("input", sayTaken);

const isRefused = Boolean($("registration").dataset.refused);
const isLike = Boolean($("like"));
const ticked = isRefused || isLike ? [] : restoreFields();
$("file-part").hidden = false;
$("typed-part").open = Boolean($("table").value.trim());
if ($("table").value.trim() && kept().file) {
  $("file-again").hidden = false;
  $("file-again").textContent = `The table was counted from “${kept().file}” and is kept. To change what is counted, choose the file again: the columns and values that you chose are kept in this tab.`;
} else {
  forget(KEPT);
}
beginLike();
beginSummary();
beginProtection();
sayTable();
for (const box of $("impossible").querySelectorAll("input")) box.checked ||= ticked.includes(box.value);
sayTaken();
if (isRefused) keepFields();
beginSteps(next);
