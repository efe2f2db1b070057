// Groups of numbers and dates, whose bounds the owner types: they become public, so they are never taken from the data.
// The rules are those of docs/reference/files.md.

import { FileError, numberOf } from "./tabular.js";

const MOST_GROUPS = 1000;
const N = String.raw`-?\d{1,15}(?:\.\d{1,15})?`;
const RANGE = new RegExp(String.raw`^(${N})\s*(?:-|–|—|\bto\b)\s*(${N})$`);
const FROM = new RegExp(String.raw`^(${N})\s*\+$`);
const BEYOND = new RegExp(String.raw`^(<=|>=|<|>|≤|≥)\s*(${N})$`);
const NAMED = /^(.+?)\s*=\s*([^=]+)$/;
const BOUNDS = new RegExp(String.raw`^from\s+(${N}(?:\s*,\s*${N})*)$`);
const EVERY = /^every\s+(\d{1,15})\s+from\s+(-?\d{1,15})\s+to\s+(-?\d{1,15})$/;
const PERIODS = /^(month|quarter|year)s?(?:\s*\((day|month) first\))?\s+from\s+(.+?)\s+to\s+(.+)$/i;
const YEAR_FIRST = /^(\d{4})[-/.]?(\d{1,2})(?:[-/.]?\d{1,2}(?:[T ].*)?)?$/;
const WEEK = /^(\d{4})-?W(\d{2})(?:-?[1-7])?$/i;
const DAY = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?:[T ].*)?$/;
const DAY_IN_WORDS = /^(\d{1,2})\.?[-/ ](?:de )?(\p{L}{3,})\.?,?[-/ ](?:de )?(\d{4}|\d{2})(?:[T ].*)?$/u;
const WORD_FIRST = /^(\p{L}{3,})\.?[-/ ](?:(\d{1,2}),?[-/ ])?(\d{4})(?:[T ].*)?$/u;
const LANGUAGES = "en de fr es it pt nl sv da nb pl fi".split(" ");
const FIRST_OF_CENTURY = 69;
const MONTHS = { month: 1, quarter: 3, year: 12 };

function rangeOf(given) {
  const text = given.trim();
  let found = RANGE.exec(text);
  if (found) {
    const [low, high] = [Number(found[1]), Number(found[2])];
    if (low > high) throw new FileError(`the group ${text} ends before it begins`);
    const isWhole = !(found[1] + found[2]).includes(".");
    return { name: text, low, high: high + (isWhole ? 1 : 0), isLowOpen: false, isHighOpen: isWhole };
  }
  found = FROM.exec(text);
  if (found) return { name: text, low: Number(found[1]), high: Infinity, isLowOpen: false, isHighOpen: false };
  found = BEYOND.exec(text);
  if (!found) return null;
  const bound = Number(found[2]);
  return found[1].startsWith("<") || found[1] === "≤"
    ? { name: text, low: -Infinity, high: bound, isLowOpen: false, isHighOpen: found[1] === "<" }
    : { name: text, low: bound, high: Infinity, isLowOpen: found[1] === ">", isHighOpen: false };
}

// The group that a text describes: `0-17`, `65+`, `<18`, `0-17 = child`; null if it describes none. Bounds without
// decimals are whole: 0-17 ends below 18, so that it has 17.5.
export function groupOf(given) {
  const named = NAMED.exec(given.trim());
  const inner = named && rangeOf(named[1]);
  return inner ? { ...inner, name: named[2].trim() } : rangeOf(given);
}

const has = (group, number) => (group.isLowOpen ? number > group.low : number >= group.low) && (group.isHighOpen ? number < group.high : number <= group.high);

// Groups that don't overlap.
export function checked(groups) {
  if (groups.length > MOST_GROUPS) throw new FileError(`the rule makes ${groups.length} groups; at most ${MOST_GROUPS} are allowed`);
  const ordered = [...groups].sort((one, other) => (one.low === other.low ? one.high - other.high : one.low - other.low));
  for (let at = 1; at < ordered.length; at += 1) {
    const [one, other] = [ordered[at - 1], ordered[at]];
    if (one.high > other.low || (one.high === other.low && !one.isHighOpen && !other.isLowOpen)) throw new FileError(`the groups ${one.name} and ${other.name} overlap`);
  }
  return groups;
}

function between(low, high) {
  if (high === "") return { name: `${low}+`, low: Number(low), high: Infinity, isLowOpen: false, isHighOpen: false };
  if (Number(high) <= Number(low)) throw new FileError(`the bounds ${low} and ${high} must rise`);
  const group = { low: Number(low), high: Number(high), isLowOpen: false, isHighOpen: true };
  if ((low + high).includes(".")) return { ...group, name: `${low} to under ${high}` };
  const last = Number(high) - 1;
  return { ...group, name: last === Number(low) ? low : `${low}-${last}` };
}

function steps(step, first, last) {
  if (step < 1 || last < first) throw new FileError("the steps must be at least 1, and rise");
  if (Math.floor((last - first) / step) >= MOST_GROUPS) throw new FileError(`the rule makes more than ${MOST_GROUPS} groups`);
  const made = [];
  for (let low = first; low <= last; low += step) made.push(between(String(low), String(Math.min(low + step, last + 1))));
  return made;
}

function periodOf(month, size) {
  const year = String(Math.floor(month / 12)).padStart(4, "0");
  if (size === 1) return `${year}-${String((month % 12) + 1).padStart(2, "0")}`;
  return size === 3 ? `${year}-Q${Math.floor((month % 12) / 3) + 1}` : year;
}

// The month of a typed bound: a date as files have them, or a year.
function boundOf(text, order, monthOfYear) {
  const month = /^\d{4}$/.test(text) ? Number(text) * 12 + monthOfYear : monthOf(text, order);
  if (month === null) throw new FileError(`'${text}' is not a month, or can be read in two ways. Write it as 2014-07`);
  return month;
}

function periods(period, order, from, to) {
  const size = MONTHS[period];
  let first = boundOf(from, order, 0);
  const last = boundOf(to, order, 11);
  if (last < first) throw new FileError("the months must rise");
  first -= first % size;
  if (Math.floor((last - first) / size) >= MOST_GROUPS) throw new FileError(`the rule makes more than ${MOST_GROUPS} groups`);
  const made = [];
  for (let month = first; month <= last; month += size) made.push({ name: periodOf(month, size), low: month, high: month + size, isLowOpen: false, isHighOpen: true });
  return made;
}

// The groups that a rule describes: a list (`0-17, 18-64, 65+`), lower bounds (`from 0, 18, 65`), steps (`every 10 from
// 0 to 99`) or periods (`month from 2020-01 to 2020-12`, `month (day first) from …`). `orderOfColumn` is that of
// its dates. Throws FileError.
export function groupsOf(text, orderOfColumn = "") {
  const rule = text.trim().replace(/\s+/g, " ");
  let found = BOUNDS.exec(rule);
  if (found) {
    const bounds = found[1].split(",").map((each) => each.trim());
    return { groups: checked(bounds.map((low, at) => between(low, bounds[at + 1] ?? ""))), isDate: false, order: "" };
  }
  found = EVERY.exec(rule);
  if (found) return { groups: checked(steps(Number(found[1]), Number(found[2]), Number(found[3]))), isDate: false, order: "" };
  found = PERIODS.exec(rule);
  if (found) {
    const order = found[2]?.toLowerCase() ?? orderOfColumn;
    return { groups: periods(found[1].toLowerCase(), order, found[3], found[4]), isDate: true, order };
  }
  const parts = rule.split(",").map((part) => part.trim());
  const ranges = parts.map(groupOf);
  const wrong = ranges.indexOf(null);
  if (wrong >= 0) throw new FileError(`'${parts[wrong]}' is not a group. Write groups as 0-17, 18-64, 65+; or from 0, 18, 65; or every 10 from 0 to 99; or month from 2020-01 to 2020-12`);
  return { groups: checked(ranges), isDate: false, order: "" };
}

// The names of months in some languages, and what they are cut to. What means two months means none.
const monthNames = new Map();
for (const language of LANGUAGES) {
  for (const style of ["long", "short"]) {
    const format = new Intl.DateTimeFormat(language, { month: style, day: "numeric", timeZone: "UTC" });
    for (let month = 1; month <= 12; month += 1) {
      const name = format.formatToParts(new Date(Date.UTC(2001, month - 1, 1))).find(({ type }) => type === "month").value.toLowerCase().replace(".", "");
      monthNames.set(name, monthNames.has(name) && monthNames.get(name) !== month ? 0 : month);
    }
  }
}

const monthIn = (name) => monthNames.get(name.toLowerCase()) ?? 0;
const yearOf = (text) => (text.length > 2 ? Number(text) : Number(text) + (Number(text) < FIRST_OF_CENTURY ? 2000 : 1900));

// The month in which most days of a week are, by ISO 8601: that of its Thursday.
function monthOfWeek(year, week) {
  const fourth = new Date(Date.UTC(year, 0, 4));
  const thursday = new Date(fourth.getTime() + (7 * (week - 1) + 3 - ((fourth.getUTCDay() + 6) % 7)) * 86400000);
  return thursday.getUTCFullYear() * 12 + thursday.getUTCMonth();
}

// Which part of a date such as 03/04/2020 comes first, if it shows it: "day", "month", or "".
function orderIn(text) {
  const found = DAY.exec(text.trim());
  if (!found || found[2] === ".") return "";
  if (Number(found[1]) > 12) return "day";
  return Number(found[3]) > 12 ? "month" : "";
}

// The order of the dates of a column: that which some of them show, if no other one shows another; or "".
export function orderOf(texts) {
  const orders = new Set(texts.map(orderIn).filter(Boolean));
  return orders.size === 1 ? [...orders][0] : "";
}

// The month of a date, counted from the year 0; null if it is not a date, or can be read in two ways.
export function monthOf(given, order = "") {
  const text = given.trim();
  let year;
  let month;
  let found = YEAR_FIRST.exec(text);
  if (found) [year, month] = [Number(found[1]), Number(found[2])];
  else if ((found = WEEK.exec(text))) return Number(found[2]) >= 1 && Number(found[2]) <= 53 ? monthOfWeek(Number(found[1]), Number(found[2])) : null;
  else if ((found = DAY_IN_WORDS.exec(text))) [year, month] = [yearOf(found[3]), monthIn(found[2])];
  else if ((found = WORD_FIRST.exec(text))) [year, month] = [Number(found[3]), monthIn(found[1])];
  else if ((found = DAY.exec(text))) {
    const [one, other] = [Number(found[1]), Number(found[3])];
    year = yearOf(found[4]);
    if (order === "day" || found[2] === "." || one > 12 || one === other) month = other;
    else if (order === "month" || other > 12) month = one;
    else return null;
  } else return null;
  return month >= 1 && month <= 12 ? year * 12 + month - 1 : null;
}

// The place of the group of a value; -1 if it is outside of all of them, or not a number or date.
export function placeOf({ groups, isDate, order }, text, separator = ",") {
  const number = isDate ? monthOf(text, order) : numberOf(text, separator);
  return number === null ? -1 : groups.findIndex((group) => has(group, number));
}
