// Who is a person: several rows of one person are counted by the column that names them.

import { several } from "./columns.js";
import { $, grouped, many } from "./page.js";
import { state, worker } from "./state.js";

export function countPeople() {
  state.people = null;
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
export function sayPeople() {
  const answer = several();
  const suggested = state.found.person !== null && $("person").value === String(state.found.person) ? `“${state.found.names[state.found.person]}” looks like the person. ` : "";
  if (state.people === null && $("person").value !== "") return;
  if (state.people === null) {
    if (answer === "no") setMost(1);
    else if (answer) $("person-choice").open = true;
    $("person-said").textContent = answer === "no" || !answer ? "" : "Choose the column that names the person, or state in step 3 what could be, for example by the study protocol.";
    return;
  }
  const { most, count } = state.people;
  if (answer) setMost(most);
  const inFile = most > 1 ? `${many(count, "person has", "people have")} several rows in this file, the most ${grouped(most)}.` : "Each person has one row in this file.";
  const set = answer && most > 1 ? ` “Most records of one person” is set to ${grouped(most)} in step 3. That is the true maximum, and would become public. Rather state what could be, for example by the study protocol.` : "";
  const against = answer === "no" && most > 1 ? " You answered that nobody has several rows: the answer or the file is wrong." : "";
  $("person-said").textContent = suggested + inFile + against + set;
}

export function showPeople({ column, most, several: count }) {
  if (String(column) !== $("person").value || $("row-kind").value !== "record") return;
  state.people = { most, count };
  sayPeople();
}
