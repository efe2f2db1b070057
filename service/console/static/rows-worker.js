// Reads a file and counts its rows, beside the page, so that the page stays usable. No row leaves this worker but the
// first few, which the page shows.

import { counter, MOST_CELLS } from "./counting.js";
import { openFile } from "./files.js";
import { groupsOf, monthOf } from "./groups.js";
import { addValue, columnOf, FileError, isMissing, isNumeric, isTotal, isWhole, MOST_COMPARED, MOST_VALUES, numberOf, plain, study } from "./tabular.js";

const MOST_SENT = 500000;
const FEWEST_SENT = 200;
const SHOWN_ROWS = 5;
const LAST_ROWS = 3;
const FEWEST_IDENTIFYING = 20;
const MOST_NUMBERS = 20;
const NEARLY_ALL = 0.9;
const MOST_PEOPLE = 10000000;
const PROGRESS_MS = 100;

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

// Calls `onRow` with each row of a file and its number. The last rows are looked at first: one in which a value is called
// “Total” or the like is left out, unless `totalsIn`.
async function scan({ opened, totalsIn }, onNames, onRow) {
  const last = [];
  let rows = 0;
  let names = [];
  const give = (row) => {
    onRow(row, rows);
    rows += 1;
  };
  const report = progress("progress");
  const read = await opened.rows(
    (found) => {
      names = found;
      onNames(found);
    },
    (row) => {
      last.push(row);
      if (last.length > LAST_ROWS) give(last.shift());
    },
    (done, total) => report(done, total, rows),
  );
  const left = [];
  for (const row of last) {
    const at = row.findIndex((value) => isTotal(value));
    if (at >= 0) left.push({ value: plain(row[at]), column: names[at] });
    if (at < 0 || totalsIn) give(row);
  }
  return { ...read, rows, totals: left };
}

// Whether nearly all values that were remembered are dates.
function isDate(column) {
  const values = [...column.values.keys()];
  return values.length > 0 && !isNumeric(column) && values.filter((value) => monthOf(value, "day") !== null || monthOf(value, "month") !== null).length >= NEARLY_ALL * values.length;
}

function described(column, { isAsked, separator, rows }) {
  const values = [...column.values.keys()];
  const isNumber = isNumeric(column);
  const numbers = isNumber && !column.isFull ? values.map((value) => numberOf(value, separator)).filter((number) => number !== null) : [];
  return {
    most: column.most,
    values: column.isFull ? null : values.map((value) => [value, column.values.get(value).rows]),
    missing: column.missing,
    isWhole: isWhole(column),
    isNumber,
    isDate: isDate(column),
    isTotal: column.isFull ? [] : values.map((value) => isTotal(value)),
    isIdentifying: isAsked || column.isFull || (values.length > FEWEST_IDENTIFYING && 2 * values.length >= rows),
    isAsked,
    isMeasured: isNumber && (column.isFull || values.length > MOST_NUMBERS),
    range: numbers.length ? numbers.reduce(([low, high], number) => [Math.min(low, number), Math.max(high, number)], [Infinity, -Infinity]) : null,
  };
}

async function read({ file, how, totalsIn }) {
  const opened = await openFile(file, how);
  let columns = [];
  const first = [];
  const result = await scan(
    { opened, totalsIn },
    (names) => {
      const most = Math.max(FEWEST_SENT, Math.min(MOST_VALUES, Math.floor(MOST_SENT / names.length)));
      columns = names.map(() => columnOf(most));
    },
    (row) => {
      if (first.length < MOST_COMPARED) first.push(row);
      for (let place = 0; place < columns.length; place += 1) addValue(columns[place], row[place], opened.separator);
    },
  );
  const seen = study(result.names, columns, first, opened.separator);
  held = { opened, totalsIn };
  postMessage({
    ...result,
    ...seen,
    kind: "read",
    encoding: opened.encoding,
    separator: opened.separator,
    sheet: opened.sheet,
    sheets: opened.sheets,
    shown: first.slice(0, SHOWN_ROWS),
    columns: columns.map((column, place) => described(column, { isAsked: seen.asked.includes(place), separator: opened.separator, rows: result.rows })),
  });
}

// The most rows of one person, and the number of people with several rows. No value leaves this worker.
async function countPeople({ column: wanted }) {
  const rows = new Map();
  await scan(held, nothing, (row) => {
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

// Rows with a value that is not listed, or outside the groups, are left out. `rule` of a column is the rule of its groups.
async function count({ columns, weight, unfold }) {
  const cells = columns.reduce((product, { size }) => product * size, unfold ? unfold.length : 1);
  if (cells > MOST_CELLS) {
    postMessage({ kind: "uncounted", text: `The table would have ${cells} categories; at most ${MOST_CELLS} are allowed. Untick a column, or join values.` });
    return;
  }
  const counted = counter({
    columns: columns.map((column) => (column.rule ? { ...column, groups: groupsOf(column.rule) } : column)), weight, unfold, separator: held.opened.separator,
  });
  await scan(held, nothing, counted.add);
  postMessage({ kind: "counted", counts: counted.counts, left: counted.left });
}

addEventListener("message", async ({ data }) => {
  try {
    if (data.kind === "read") await read(data);
    else if (data.kind === "people") await countPeople(data);
    else await count(data);
  } catch (error) {
    const text = error instanceof FileError ? sentence(error.message) : "The file could not be read. Choose it again, or check that it is a table.";
    postMessage({ kind: data.kind === "read" ? "refused" : "uncounted", text });
  }
});
