// A data set like another one: its columns and values are ticked in the file that is chosen. They are public.

import { KEPT } from "./columns.js";
import { keep } from "./kept.js";
import { $, many } from "./page.js";
import { state } from "./state.js";

const place = $("like");
const like = place ? JSON.parse(place.dataset.like) : null;
const PERIOD = /^\d{4}(-\d{2}|-Q[1-4])?$/;

// Periods such as 2020-01 to 2020-12 are the rule that made them; other values are a list, in which groups stand too.
function ruleOf(levels) {
  if (!levels.every((level) => PERIOD.test(level)) || new Set(levels.map((level) => level.length)).size > 1) return "";
  const kind = { 4: "year", 7: levels[0].includes("Q") ? "quarter" : "month" }[levels[0].length];
  const bound = (level) => level.replace(/-Q([1-4])$/, (_, quarter) => `-${String(3 * quarter - 2).padStart(2, "0")}`);
  return `${kind} from ${bound(levels[0])} to ${bound(levels.at(-1))}`;
}

// What the page remembers of a file, made from the other data set.
export function begin() {
  if (!like) return;
  const columns = like.attributes.map(({ name, levels }) => [name, { ticked: true, levels: levels.join("\n"), rule: ruleOf(levels), name: "", missing: levels.includes("missing") ? "in" : "out" }]);
  keep(KEPT, { file: "", columns: Object.fromEntries(columns) });
}

// Names what the file lacks of the other data set.
export function sayUnlike() {
  if (!like) return;
  const lacking = like.attributes.map(({ name }) => name).filter((name) => !state.found.names.includes(name));
  $("unlike").hidden = !lacking.length;
  $("unlike").textContent = lacking.length ? `The file has no column ${lacking.map((name) => `“${name}”`).join(", ")}: ${many(lacking.length, "column")} of “${like.name}” ${lacking.length === 1 ? "is" : "are"} missing, unless ${lacking.length === 1 ? "it has" : "they have"} another name here.` : "";
}
