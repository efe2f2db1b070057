// The values of a column that become public, and what stands for them in the file.

import { isLeftTotal, kept, missingRows, rowKind } from "./columns.js";
import { changed } from "./counted.js";
import { checked, groupOf, groupsOf, placeOf } from "./groups.js";
import { $, element, many, MOST_SAID } from "./page.js";
import { state } from "./state.js";
import { isUnnamed } from "./study.js";
import { FileError, plain } from "./tabular.js";

const FEWEST_ROWS = 5;
const LONGEST_NAME = 200;

export const ruleOf = (at) => $(`rule-${at}`)?.value.trim() ?? "";
export const titleOf = (at) => plain($(`name-${at}`)?.value ?? state.found.names[at]);

// The values of a column that become public, in order, and what stands for them: texts in the file, and groups of numbers
// or dates. Lines are such as "1 = male", "male", "0-17 = child" or "65+". Throws FileError.
export function listed(at) {
  const rule = ruleOf(at);
  if (rule) {
    const groups = groupsOf(rule, state.found.columns[at].order);
    return { names: new Map(groups.groups.map(({ name }) => [name, new Set([name])])), groups, groupLevels: groups.groups.map((_, place) => place) };
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
  const isNumber = state.found.columns[at].isNumber;
  const groups = ranges.length && isNumber ? { groups: checked(ranges), isDate: false, order: "" } : null;
  return { names, groups, groupLevels: groups ? ranges.map(({ name }) => titles.indexOf(name)) : [] };
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

// The values in the file that are not listed: those outside the groups, and the others.
export function unlisted(at) {
  const { names, groups } = listed(at);
  const known = new Set([...names.values()].flatMap((values) => [...values]));
  const rest = (state.found.columns[at].values ?? []).map(([value, rows]) => ({ value, rows }))
    .filter(({ value }) => !known.has(value) && !isLeftTotal(at, value) && !(groups && placeOf(groups, value, state.found.separator) >= 0));
  return { outside: groups ? rest : [], others: groups ? [] : rest };
}

export function sayUnlisted(at) {
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
  const { outside, others } = rest;
  const column = state.found.columns[at];
  const values = (column.values ?? []).map(([value]) => value);
  const said = (left) => left.slice(0, MOST_SAID).map(({ value, rows }) => `“${value}” (${many(rows, "row")})`).join(", ") + (left.length > MOST_SAID ? ` and ${left.length - MOST_SAID} more` : "");
  const chips = sayChips(at, names);
  const lines = [];
  const unseen = [...names.keys()].filter((name) => !chips.has(name));
  if (!names.size && $(`chips-${at}`)) lines.push("Tick the values that may be known: they become public.");
  if (unseen.length) lines.push(`${chips.size ? "Also public" : "Public values"}: ${unseen.slice(0, MOST_SAID).join(", ")}${unseen.length > MOST_SAID ? ` and ${unseen.length - MOST_SAID} more` : ""}.`);
  if (names.size && others.length) {
    const [{ value }] = others;
    lines.push(`In the file and not listed, so left out: ${said(others)}. To count a value under one of your names, add a line such as “${value} = ${nearest(value, [...names.keys()])}”.`);
  }
  if (outside.length) {
    const rows = outside.reduce((sum, each) => sum + each.rows, 0);
    lines.push(`${many(rows, "row is", "rows are")} outside the groups, and left out. This number stays in this browser.${column.isDate ? " For dates such as 03/04/2020, write “month (day first) from …” or “month (month first) from …”." : ""}`);
  }
  const long = [...names.keys()].filter((name) => name.length > LONGEST_NAME);
  if (long.length) lines.push(`${many(long.length, "value has", "values have")} more than ${LONGEST_NAME} characters, which is too long. Write a shorter name, such as “${long[0].slice(0, 20)}… = short name”.`);
  place.replaceChildren(...lines.map((line) => element("p", { className: line.startsWith("In the file") ? "" : "soft" }, line)));
  place.dataset.taken = names.size && $(`levels-${at}`).dataset.taken && [...names.keys()].every((name) => values.includes(name)) ? "yes" : "";
  $("taken").hidden = !document.querySelector("fieldset:not([hidden]) > [data-taken=yes]");
  if ($(`identifying-${at}`)) $(`identifying-${at}`).hidden = Boolean(ruleOf(at));
  $(`list-${at}`).hidden = Boolean(ruleOf(at)) || column.values === null;
}

// Few values are shown, and the owner ticks those that may be known: a value in a file shows that somebody has it.
const isOffered = (column) => !column.isIdentifying && !column.isMeasured && !column.isDate && !column.isAsked && column.values !== null && column.values.length <= MOST_SAID;
const bound = (value) => value.replace(/^[<>≤≥=\s]+/, "");
const inOrder = ([one], [other]) => bound(one).localeCompare(bound(other), "en", { numeric: true });
const ofFile = (at) => state.found.columns[at].values.filter(([value]) => !isLeftTotal(at, value)).sort(inOrder);
const codeOf = (line) => plain(line.split(/\s*(?:=|\t)\s*/)[0]);
const isRare = (rows) => rowKind() === "record" && rows < FEWEST_ROWS;

function choose(at, value, isChosen) {
  const area = $(`levels-${at}`);
  const lines = area.value.split("\n").filter((line) => line.trim() && codeOf(line) !== value);
  area.value = [...lines, ...(isChosen ? [value] : [])].join("\n");
  area.dataset.taken = "yes";
  sayUnlisted(at);
  changed();
}

function chipsPart(at) {
  const column = state.found.columns[at];
  if (!isOffered(column)) return [];
  const chips = ofFile(at).map(([value, rows], place) => {
    const box = element("input", { type: "checkbox", id: `chip-${at}-${place}`, value });
    box.addEventListener("change", () => choose(at, value, box.checked));
    return element("label", { htmlFor: box.id, "data-rows": String(rows) }, box, element("span", {}, value));
  });
  return [element("div", { className: "chips", id: `chips-${at}` }, ...chips)];
}

// Shows which values are public, and as what. Returns the names that the chips show.
function sayChips(at, names) {
  const shown = new Set();
  for (const label of $(`chips-${at}`)?.children ?? []) {
    const box = label.querySelector("input");
    const name = [...names].find(([, values]) => values.has(box.value))?.[0];
    box.checked = name !== undefined;
    const rows = Number(label.dataset.rows);
    label.querySelector("span").textContent = `${box.value}${name && name !== box.value ? ` = ${name}` : ""}${isRare(rows) ? ` (${many(rows, "row")})` : ""}`;
    if (name !== undefined) shown.add(name);
  }
  return shown;
}

// What a column of numbers or dates is grouped by: typed or chosen, and never taken from the data.
function rulePart(at, earlier) {
  const column = state.found.columns[at];
  if ((!column.isNumber && !column.isDate) || isOffered(column)) return [];
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
    element("p", { className: "hint", id: `rule-hint-${at}` }, `${hint} Choose the bounds without the data: they become public.`),
    input,
  )];
}

function namePart(at, earlier) {
  if (!isUnnamed(state.found.names[at], at)) return [];
  const input = element("input", { id: `name-${at}`, maxLength: 200, autocomplete: "off" });
  input.value = earlier?.name ?? "";
  return [element("div", { className: "field" }, element("label", { htmlFor: `name-${at}` }, "Name of this column, which has none in the file"), input)];
}

function takeButton(at, title) {
  const button = element("button", { type: "button", className: "plain" }, title);
  button.addEventListener("click", () => {
    const area = $(`levels-${at}`);
    area.value = lines(ofFile(at)).join("\n");
    area.dataset.taken = "yes";
    sayUnlisted(at);
    changed();
  });
  return button;
}

// A line for each value. Of values that differ in case alone, the commonest is the name of all.
function lines(values) {
  const names = new Map();
  for (const [value] of [...values].sort(([, one], [, other]) => other - one)) {
    if (!names.has(value.toLowerCase())) names.set(value.toLowerCase(), value);
  }
  return values.map(([value]) => (names.get(value.toLowerCase()) === value ? value : `${value} = ${names.get(value.toLowerCase())}`));
}

// What identifies people, or may be counts, becomes public only if the owner says so.
function identifyingPart(at) {
  const column = state.found.columns[at];
  if (!column.isIdentifying || column.values === null) return [];
  const why = column.isAsked
    ? `“${state.found.names[at]}” has ${many(column.values.length, "number")} that are mostly different. They may be counts. Group them, or list them only if each may become public.`
    : `“${state.found.names[at]}” has ${many(column.values.length, "different value")} in ${many(state.found.rows, "row")}. Such a column identifies people, and each value that you list becomes public. Untick it unless its values may be known.`;
  const box = column.isAsked ? "These numbers may be known, and are not counts" : "These values may be known, although they identify people";
  return [element(
    "div",
    { id: `identifying-${at}`, className: "notice" },
    element("p", {}, why),
    element("div", { className: "box" }, element("input", { type: "checkbox", id: `identifies-${at}` }), element("label", { htmlFor: `identifies-${at}` }, box)),
  )];
}

function missingPart(at, earlier) {
  const missing = missingRows(at);
  if (!missing || isLeftTotal(at, "")) return [];
  const choice = element(
    "select",
    { id: `missing-${at}`, className: "short" },
    element("option", { value: "out" }, "left out"),
    element("option", { value: "in" }, "the public value “missing”"),
  );
  choice.value = earlier?.missing ?? "out";
  return [element("div", { className: "sentence" }, element("label", { className: "hint", htmlFor: `missing-${at}` }, `${many(missing, "row has", "rows have")} no value:`), choice)];
}

function listPart(at, area) {
  const name = state.found.names[at];
  const column = state.found.columns[at];
  const isGrouped = !isOffered(column) && (column.isNumber || column.isDate);
  return element(
    "details",
    { id: `list-${at}`, open: !isOffered(column) && !isGrouped },
    element("summary", {}, isGrouped ? "List single values instead" : "Edit the values", element("span", { className: "unseen" }, ` of “${name}”`)),
    element("label", { htmlFor: `levels-${at}` }, "One value a line"),
    element("p", { className: "hint", id: `levels-hint-${at}` }, "From your code book, in the order in which they are to be shown. “1 = male” counts the value 1 as male, “mael = male” one with a typing error."),
    area,
    ...(isOffered(column) ? [] : [takeButton(at, "Take the values from the file")]),
  );
}

export function valuesPart(at) {
  const earlier = kept().columns[state.found.names[at]];
  const area = element("textarea", { id: `levels-${at}`, rows: 4, spellcheck: false, "aria-describedby": `levels-hint-${at}` });
  area.value = earlier?.levels ?? "";
  area.addEventListener("input", () => sayUnlisted(at));
  return element(
    "fieldset",
    { "data-column": String(at), className: "values" },
    element("legend", { className: "unseen" }, `Possible values of “${state.found.names[at]}”`),
    ...namePart(at, earlier),
    ...identifyingPart(at),
    ...rulePart(at, earlier),
    ...chipsPart(at),
    element("div", { className: "row" }, ...(isOffered(state.found.columns[at]) ? [takeButton(at, `All ${ofFile(at).length} may be known`)] : []), listPart(at, area)),
    element("div", { id: `unlisted-${at}`, role: "status" }),
    ...missingPart(at, earlier),
  );
}
