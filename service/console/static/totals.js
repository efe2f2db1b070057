// Totals of a table of counts, found by their numbers: a value whose counts are the sums of the others of its column.

import { isNumeric, isWhole } from "./study.js";
import { numberOf, plain, wholeNumber } from "./tabular.js";

const FEWEST_SUMS = 3;
const FEWEST_ROWS = 3;
const NEARLY_ALL = 0.9;
const MOST_COLUMNS = 40;
const ROUNDINGS = [1000, 100, 50, 10, 5, 3];
const FEWEST_ROUNDED = 10;
const MOST_HIDDEN = 20;
const HIDDEN_SHARE = 0.1;

// The largest number to whose multiples all counts were rounded; 0 if they were not.
function rounding(rows) {
  const counts = rows.map(({ count }) => count).filter(Boolean);
  return counts.length < FEWEST_ROUNDED ? 0 : ROUNDINGS.find((step) => counts.every((count) => count % step === 0)) ?? 0;
}

// The columns that say what another one says, such as its codes: each value of the one goes with one of the other.
function twins(rows, columns, place) {
  return columns.filter((other) => {
    const seen = new Map();
    return other !== place && rows.every(({ levels }) => {
      if (!seen.has(levels[place])) seen.set(levels[place], levels[other]);
      return seen.get(levels[place]) === levels[other];
    });
  });
}

function totalsOf(rows, columns, place, allowed) {
  const beside = twins(rows, columns, place);
  const rest = columns.filter((each) => each !== place && !beside.includes(each));
  const groups = new Map();
  for (const { levels, count } of rows) {
    const key = JSON.stringify(rest.map((each) => levels[each]));
    const group = groups.get(key) ?? groups.set(key, new Map()).get(key);
    const before = group.has(levels[place]) ? group.get(levels[place]) : 0;
    group.set(levels[place], count === null || before === null ? null : before + count);
  }
  const found = new Map();
  for (const group of groups.values()) {
    const counts = [...group.values()];
    // Counts that are not shown are small, so a total that is large beside them still stands out.
    const hidden = MOST_HIDDEN * counts.filter((count) => count === null).length;
    const sum = counts.reduce((whole, count) => whole + count, 0);
    const parts = counts.filter(Boolean).length - 1;
    const possible = parts + counts.filter((count) => count === null).length;
    const near = allowed * Math.sqrt(counts.length);
    if (possible < 2) continue;
    for (const [level, count] of group) {
      if (!count || hidden > HIDDEN_SHARE * count) continue;
      const record = found.get(level) ?? found.set(level, { groups: 0, sums: new Set(), matching: 0 }).get(level);
      record.groups += 1;
      const over = 2 * count - sum;
      // Beside one part that is shown, a total is larger than it: two equal counts are not a total of each other.
      if (over < -near || over > hidden + near || (parts < 2 && over <= 0)) continue;
      record.matching += 1;
      record.sums.add(count);
    }
  }
  const fewest = Math.min(FEWEST_SUMS, groups.size);
  return [...found].filter(([, { groups: all, sums, matching }]) => sums.size >= fewest && matching >= NEARLY_ALL * all).map(([value]) => value);
}

// The totals among rows that have `levels` and a `count`, null if it is not known: pairs of a column and a value. With the
// rows of those that were found left out, others are looked for.
export function totalsAmong(given) {
  let rows = given;
  const columns = (rows[0]?.levels ?? []).map((_, place) => place);
  const allowed = rounding(rows);
  const found = [];
  for (const place of columns) {
    const values = new Set(totalsOf(rows, columns, place, allowed));
    for (const value of values) found.push({ place, value });
    if (values.size) rows = rows.filter(({ levels }) => !values.has(levels[place]));
  }
  return found;
}

// The row that adds up all others, or -1.
function sumRow(counts) {
  const sum = counts.reduce((whole, count) => whole + count, 0);
  return counts.filter(Boolean).length > FEWEST_ROWS ? counts.findIndex((count) => count && 2 * count === sum) : -1;
}

// The totals in the first rows of a file, whose counts are in the column `weight` or in the columns `unfold`; without
// both, each row is of one person. `values` has pairs of a `place` and a `value`, which is null for a column of totals;
// `row` is the number of a row that adds up the others, or -1.
export function totalsInFile({ columns, rows, numbered, weight, unfold, separator }) {
  if (weight === null && !unfold) return { values: [], row: isSum(columns, rows.at(-1) ?? [], separator) ? rows.length - 1 : -1 };
  const isMeasured = (column) => isNumeric(column) && (!isWhole(column) || 2 * column.values.size > column.rows);
  const places = columns.map((_, place) => place).filter((place) => place !== weight && !(unfold ?? []).includes(place) && !numbered.includes(place) && !isMeasured(columns[place]));
  const levels = (row) => places.map((place) => plain(row[place]));
  const given = unfold
    ? rows.flatMap((row) => unfold.map((place) => ({ levels: [...levels(row), place], count: wholeNumber(row[place], separator) })))
    : rows.map((row) => ({ levels: levels(row), count: wholeNumber(row[weight], separator) }));
  const values = (places.length > MOST_COLUMNS ? [] : totalsAmong(given)).map(({ place, value }) => (place < places.length ? { place: places[place], value } : { place: value, value: null }));
  const kept = (unfold ?? [weight]).filter((place) => !values.some((each) => each.place === place && each.value === null));
  const isOut = (row) => values.some(({ place, value }) => plain(row[place]) === value);
  return { values, row: sumRow(rows.map((row) => (isOut(row) ? 0 : kept.reduce((sum, place) => sum + (wholeNumber(row[place], separator) ?? 0), 0)))) };
}

// Whether the last row of a list of people adds up the others: a column has their sum there.
function isSum(columns, last, separator) {
  return columns.some((column, place) => {
    const number = wholeNumber(last[place] ?? "", separator) ?? numberOf(last[place] ?? "", separator);
    return isNumeric(column) && column.rows > FEWEST_ROWS && number && Math.abs(column.sum - 2 * number) < 1e-6 * Math.abs(number);
  });
}
