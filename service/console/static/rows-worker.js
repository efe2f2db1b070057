// Reads a file and counts its rows, beside the page, so that the page stays usable. No row leaves this worker but the
// first few, which the page shows.

import { counter, MOST_CELLS } from "./counting.js";
import { openFile } from "./files.js";
import { monthOf, orderOf } from "./groups.js";
import { addValue, columnOf, isCounted, isNumeric, MOST_COMPARED, MOST_VALUES, study } from "./study.js";
import { FileError, isMissing, numberOf, plain } from "./tabular.js";
import { totalsInFile } from "./totals.js";

const MOST_SENT = 500000;
const FEWEST_SENT = 200;
const SHOWN_ROWS = 5;
const FEWEST_IDENTIFYING = 20;
const MOST_NUMBERS = 20;
const NEARLY_ALL = 0.9;
const MOST_PEOPLE = 10000000;
const MOST_MARKED = 200;
const MOST_TOTALLED = 300000;
const PROGRESS_MS = 100;
const DAY_IN_DIGITS = /^(19|20)\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/;

let held = null;

const nothing = () => {};
const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

function progress(kind) {
  let reported = 0;
  return (done, total, rows) => {
    if (performance.now() - reported < PROGRESS_MS) return;
    reported = performance.now();
    postMessage({ kind, done, total, rows });
  };
}

// Calls `onRow` with each row of a file and its number.
async function scan(opened, onNames, onRow) {
  let rows = 0;
  const report = progress("progress");
  const read = await opened.rows(
    onNames,
    (row) => {
      onRow(row, rows);
      rows += 1;
    },
    (done, total) => report(done, total, rows),
  );
  return { ...read, rows };
}

// Whether nearly all values that were remembered are dates.
function isDate(column) {
  const values = [...column.values.keys()];
  const dates = values.filter((value) => (isNumeric(column) ? DAY_IN_DIGITS.test(value) : monthOf(value, "day") !== null || monthOf(value, "month") !== null));
  return values.length > 0 && dates.length >= NEARLY_ALL * values.length;
}

function described(name, column, { isAsked, separator, rows }) {
  const values = [...column.values.keys()];
  const isDates = isDate(column);
  const isNumber = isNumeric(column) && !isDates;
  const numbers = isNumber && !column.isFull ? values.map((value) => numberOf(value, separator)).filter((number) => number !== null) : [];
  return {
    most: column.most,
    values: column.isFull ? null : values.map((value) => [value, column.values.get(value).rows]),
    missing: column.missing,
    isWhole: isCounted(name, column),
    isNumber,
    isDate: isDates,
    order: isDates ? orderOf(values) : "",
    isIdentifying: isAsked || column.isFull || (values.length > FEWEST_IDENTIFYING && 2 * values.length >= rows),
    isAsked,
    isMeasured: isNumber && (column.isFull || values.length > MOST_NUMBERS),
    range: numbers.length ? numbers.reduce(([low, high], number) => [Math.min(low, number), Math.max(high, number)], [Infinity, -Infinity]) : null,
  };
}

async function read({ file, how }) {
  held = null;
  const opened = await openFile(file, how);
  const { encoding, separator, sheet, sheets, sizes, near } = opened;
  const written = { encoding, separator, sheet, sheets, sizes, near };
  let columns = [];
  const first = [];
  let last = [];
  let result;
  try {
    result = await scan(
      opened,
      (names) => {
        const most = Math.max(FEWEST_SENT, Math.min(MOST_VALUES, Math.floor(MOST_SENT / names.length)));
        columns = names.map(() => columnOf(most));
      },
      (row) => {
        if (first.length < MOST_COMPARED) first.push(row);
        last = row;
        for (let place = 0; place < columns.length; place += 1) addValue(columns[place], row[place], separator);
      },
    );
    if (!result.rows) throw new FileError(sheets.length > 1 ? `the sheet “${sheet}” has no rows below its names. Choose another sheet` : "the file has no rows below the names of its columns");
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    postMessage({ kind: "refused", text: sentence(error.message), written });
    return;
  }
  const seen = study(result.names, columns, first);
  held = { opened, columns, first, last, numbered: seen.numbered, rows: result.rows };
  postMessage({
    ...result,
    ...seen,
    ...written,
    kind: "read",
    shown: first.slice(0, SHOWN_ROWS),
    columns: columns.map((column, place) => described(result.names[place], column, { isAsked: seen.asked.includes(place), separator, rows: result.rows })),
  });
}

// All rows of a table of counts, or null if they are too many.
async function allRows() {
  if (held.first.length === held.rows) return held.first;
  if (held.rows > MOST_TOTALLED) return null;
  const rows = [];
  await scan(held.opened, nothing, (row) => rows.push(row));
  return rows;
}

// The totals among the rows, once it is known which columns have counts.
async function findTotals({ asked, weight, unfold }) {
  const { columns, last, numbered, opened, rows } = held;
  const isList = weight === null && !unfold;
  const all = isList ? [last] : await allRows();
  const found = all ? totalsInFile({ columns, rows: all, numbered, weight, unfold, separator: opened.separator }) : { values: [], row: -1 };
  const isOut = (values, at) => at === found.row || found.values.some(({ place, value }) => value !== null && plain(values[place]) === value);
  const out = all ? all.filter(isOut) : [];
  postMessage({
    kind: "totals", asked, values: found.values, row: isList && found.row >= 0 ? rows - 1 : found.row, rows: out.length,
    missing: columns.map((_, place) => out.filter((row) => isMissing(plain(row[place]))).length),
    shown: found.row >= 0 ? all[found.row] : [], unknown: all === null,
  });
}

// The most rows of one person, and the number of people with several rows. No value leaves this worker.
async function countPeople({ column: wanted }) {
  const rows = new Map();
  await scan(held.opened, nothing, (row) => {
    const value = plain(row[wanted]);
    if (!isMissing(value)) rows.set(value, (rows.get(value) ?? 0) + 1);
    if (rows.size > MOST_PEOPLE) throw new FileError(`the column names more than ${MOST_PEOPLE} people, too many to compare`);
  });
  let most = 0;
  let several = 0;
  for (const each of rows.values()) {
    most = Math.max(most, each);
    if (each > 1) several += 1;
  }
  postMessage({ kind: "people", column: wanted, most, several });
}

// Rows with a value that is not listed, or outside the groups, are left out, and so are `totals`. `marked` are
// the cells of which a count is not shown.
async function count({ columns, weight, unfold, totals }) {
  const cells = columns.reduce((product, { size }) => product * size, unfold ? unfold.length : 1);
  if (cells > MOST_CELLS) {
    postMessage({ kind: "uncounted", text: `The table would have ${cells} categories; at most ${MOST_CELLS} are allowed. Untick a column, or join values.` });
    return;
  }
  const counted = counter({ columns, weight, unfold, separator: held.opened.separator });
  let skipped = 0;
  await scan(held.opened, nothing, (row, at) => {
    if (at === totals.row || totals.values.some(({ place, value }) => value !== null && plain(row[place]) === value)) skipped += 1;
    else counted.add(row);
  });
  if (counted.marked.size > MOST_MARKED) {
    postMessage({ kind: "uncounted", text: `More than ${MOST_MARKED} categories have a count that is blank or not shown. Untick values or columns.` });
    return;
  }
  postMessage({ kind: "counted", counts: counted.counts, left: counted.left, marked: [...counted.marked], skipped });
}

addEventListener("message", async ({ data }) => {
  try {
    if (data.kind === "read") await read(data);
    else if (!held) return;
    else if (data.kind === "people") await countPeople(data);
    else if (data.kind === "totals") await findTotals(data);
    else await count(data);
  } catch (error) {
    const text = error instanceof FileError ? sentence(error.message) : "The file could not be read. Choose it again, or check that it is a table.";
    postMessage({ kind: data.kind === "read" ? "refused" : "uncounted", text, written: null });
  }
});
