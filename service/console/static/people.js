// Who is a person: several rows of one person are counted by the column that names them.

import { rowKind, several } from "./columns.js";
import { $, grouped, many } from "./page.js";
import { state, worker } from "./state.js";

export function countPeople() {
  state.people = null;
  $("person-part").hidden = rowKind() !== "record";
  $("person-said").textContent = "";
  if (rowKind() !== "record") return;
  if ($("person").value === "") sayPeople();
  else worker.postMessage({ kind: "people", column: Number($("person").value) });
}

$("most_records").addEventListener("input", () => { delete $("most_records").dataset.ours; });

// Only "No" says the number: one record. The largest number in the file is not what could be, so it is not filled in.
function setMost(answer) {
  if (!answer || (answer !== "no" && !$("most_records").dataset.ours)) return;
  $("most_records").value = answer === "no" ? "1" : "";
  $("most_records").dataset.ours = "yes";
  $("most_records").dispatchEvent(new Event("change"));
}

export function sayPeople() {
  const answer = several();
  const suggested = state.found.person !== null && $("person").value === String(state.found.person) ? `“${state.found.names[state.found.person]}” looks like the person. ` : "";
  if (state.people === null && $("person").value !== "") return;
  if (state.people === null) {
    setMost(answer);
    if (answer && answer !== "no") $("person-choice").open = true;
    $("person-said").textContent = answer === "no" || !answer ? "" : "Choose the column that names the person, or state in step 3 what could be, for example by the study protocol.";
    return;
  }
  const { most, count } = state.people;
  setMost(most > 1 && answer === "no" ? "" : answer);
  const inFile = most > 1 ? `${many(count, "person has", "people have")} several rows in this file, the most ${grouped(most)}.` : "Each person has one row in this file.";
  const set = answer && answer !== "no" ? " State in step 3 what could be, for example by the study protocol: the largest number in the file would become public." : "";
  const against = answer === "no" && most > 1 ? " You answered that nobody has several rows: the answer or the file is wrong." : "";
  $("person-said").textContent = suggested + inFile + against + set;
}

export function showPeople({ column, most, several: count }) {
  if (String(column) !== $("person").value || rowKind() !== "record") return;
  state.people = { most, count };
  sayPeople();
}
