// What was typed into the form stays in this tab of the browser, so that Back and a reload lose nothing. A registration and
// the end of the session delete it.

import { keep, kept as keptBefore } from "./kept.js";

const KEPT = "new-data-fields";
const NEVER = new Set(["form_token", "whose", "key"]);
const form = document.getElementById("registration");

const fields = () => [...form.elements].filter((each) => each.name && !NEVER.has(each.name) && each.form === form && each.name !== "impossible" && each.id !== "totals-asked" && each.type !== "submit");

export function keepFields() {
  const kept = fields().map((each) => [each.name, each.type === "checkbox" ? each.checked : each.value]);
  const impossible = [...form.querySelectorAll("[name=impossible]:checked")].map((each) => each.value);
  keep(KEPT, { kept, impossible });
}

// Fills in what was typed before. Returns the ticked combinations, which have no boxes yet.
export function restoreFields() {
  const found = keptBefore(KEPT);
  if (!found) return [];
  for (const [name, value] of found.kept) {
    const field = fields().find((each) => each.name === name);
    if (!field) continue;
    if (field.type === "checkbox") field.checked = value;
    else if (field.tagName !== "SELECT" || [...field.options].some((option) => option.value === value)) field.value = value;
  }
  return found.impossible;
}

form.addEventListener("input", keepFields);
form.addEventListener("change", keepFields);
