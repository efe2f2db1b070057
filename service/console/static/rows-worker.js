// Reads a file and counts its rows, beside the page, so that the page stays usable. No row leaves this worker but the
// first few, which the page shows.

import { csvReader, findSeparator, readRows } from "./csv.js";

const SNIFFED_BYTES = 262144;
const MOST_VALUES = 5000;
const MOST_CELLS = 10000;
const SHOWN_ROWS = 5;
const MISSING = new Set(["", "na", "n/a", "nan", "null", ".", "-"]);
const LAST_ROWS = 3;
const FEWEST_IDENTIFYING = 20;
const MOST_NUMBERS = 20;

let held = null;

let totals = new Set();

const plain = (value) => value.trim().replace(/\s+/g, " ");
const isNumber = (value) => value !== "" && Number.isFinite(Number(value.replace(",", ".")));

const isTotal = (value) => totals.has((value.toLowerCase().match(/\p{L}+/gu) ?? []).join(" "));
const isMissing = (value) => MISSING.has(value.toLowerCase());
// Whether nearly all values are numbers, and too many for categories.
const isMeasured = (values) => values.length > MOST_NUMBERS && values.filter(isNumber).length >= 0.9 * values.length;

// A sentence if the file is of a kind that is no text.
function otherKind(bytes) {
  const begins = (...codes) => codes.every((code, at) => bytes[at] === code);
  if (begins(0x50, 0x4b, 3, 4) || begins(0xd0, 0xcf, 0x11, 0xe0)) {
    return "This is an Excel file, or another packed file. Open it in Excel, choose “Save as”, save it as “CSV UTF-8”, and choose that file here.";
  }
  return begins(0x25, 0x50, 0x44, 0x46) ? "This is a PDF file. Choose a CSV file." : "";
}

function findEncoding(bytes) {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return "utf-8";
  } catch {
    return "windows-1252";
  }
}

function column() {
  return { values: [], counts: [], codes: new Uint16Array(1024), raw: new Map(), seen: new Map(), tooMany: false };
}

function add(to, value, row) {
  if (to.tooMany) return;
  let code = to.raw.get(value);
  if (code === undefined) {
    const text = plain(value);
    code = to.seen.get(text);
    if (code === undefined) {
      if (to.values.length >= MOST_VALUES || to.raw.size >= 10 * MOST_VALUES) {
        Object.assign(to, { tooMany: true, codes: null, raw: null, seen: null });
        return;
      }
      code = to.values.length;
      to.values.push(text);
      to.counts.push(0);
      to.seen.set(text, code);
    }
    to.raw.set(value, code);
  }
  if (row >= to.codes.length) {
    const larger = new Uint16Array(2 * to.codes.length);
    larger.set(to.codes);
    to.codes = larger;
  }
  to.codes[row] = code;
  to.counts[code] += 1;
}

// Calls `onRow` with each row of a file and its number. The last rows are looked at first: one in which a value is called
// “Total” or the like is left out, unless `totalsIn`.
async function scan({ file, encoding, separator, header, totalsIn }, onNames, onRow) {
  let width = 0;
  let rows = 0;
  let ragged = 0;
  let row = [];
  let names = [];
  const last = [];
  const give = (given) => {
    onRow(given, rows);
    rows += 1;
  };
  const reader = csvReader(
    separator,
    (value, at) => { row[at] = value; },
    (length) => {
      const given = row;
      row = [];
      if (length === 1 && !given[0].trim()) return;
      if (!width) {
        width = length;
        names = Array.from({ length }, (_, at) => (header && plain(given[at])) || `column ${at + 1}`);
        onNames(names);
        if (header) return;
      }
      if (length !== width) {
        ragged += 1;
        return;
      }
      last.push(given);
      if (last.length > LAST_ROWS) give(last.shift());
    },
  );
  const decoder = new TextDecoder(encoding, { fatal: true });
  const stream = file.stream().getReader();
  let done = 0;
  let reported = 0;
  for (;;) {
    const part = await stream.read();
    if (part.done) break;
    reader.push(decoder.decode(part.value, { stream: true }));
    done += part.value.length;
    if (performance.now() - reported > 100) {
      reported = performance.now();
      postMessage({ kind: "progress", done, total: file.size, rows });
    }
  }
  reader.push(decoder.decode());
  reader.end();
  const left = [];
  for (const given of last) {
    const at = given.findIndex((value) => isTotal(plain(value)));
    if (at >= 0) left.push({ value: plain(given[at]), column: names[at] });
    if (at < 0 || totalsIn) give(given);
  }
  return { names, rows, ragged, totals: left };
}

async function read({ file, encoding, separator, header, totalsIn, totals: words }) {
  totals = new Set(words);
  const start = new Uint8Array(await file.slice(0, SNIFFED_BYTES).arrayBuffer());
  const other = otherKind(start);
  if (other) {
    postMessage({ kind: "refused", text: other });
    return;
  }
  const chosen = encoding ?? findEncoding(start);
  const sample = new TextDecoder(chosen).decode(start, { stream: true });
  const parting = separator ?? findSeparator(sample);
  const first = (readRows(sample.slice(0, 20000), parting)[0] ?? []).map(plain);
  const named = first.length > 0 && first.every((value) => value && !isNumber(value)) && new Set(first).size === first.length;
  const how = { file, encoding: chosen, separator: parting, header: header ?? named, totalsIn };

  let columns = [];
  const shown = [];
  const result = await scan(how, (names) => { columns = names.map(column); }, (row, at) => {
    if (at < SHOWN_ROWS) shown.push(row);
    for (let place = 0; place < columns.length; place += 1) add(columns[place], row[place], at);
  });
  const { rows } = result;
  if (!columns.length) {
    postMessage({ kind: "refused", text: "This file is empty." });
    return;
  }
  held = { columns, rows, how };
  postMessage({
    ...result,
    kind: "read",
    encoding: chosen,
    separator: parting,
    header: how.header,
    shown,
    columns: columns.map((each) => ({
      values: each.tooMany ? null : each.values.map((value, at) => [value, each.counts[at]]),
      isNumeric: !each.tooMany && each.values.every((value) => value === "" || /^\d{1,15}$/.test(value)),
      isMissing: each.tooMany ? [] : each.values.map(isMissing),
      isTotal: each.tooMany ? [] : each.values.map(isTotal),
      isIdentifying: each.tooMany || (each.values.length > FEWEST_IDENTIFYING && 2 * each.values.length >= rows),
      isMeasured: !each.tooMany && isMeasured(each.values),
    })),
  });
}

// The most rows of one person, and the number of people with several rows. No value leaves this worker.
async function countPeople({ column: wanted }) {
  const rows = new Map();
  await scan(held.how, () => {}, (row) => {
    const value = plain(row[wanted]);
    if (!isMissing(value)) rows.set(value, (rows.get(value) ?? 0) + 1);
  });
  let most = 0;
  let several = 0;
  for (const each of rows.values()) {
    most = Math.max(most, each);
    if (each > 1) several += 1;
  }
  postMessage({ kind: "people", column: wanted, most, several });
}

// `levels`: of each column the values in the file that stand for each level, in order. Rows with another value are left
// out; `missing` has for each column the level of missing values, or -1.
function count({ columns, levels, missing, weight }) {
  const cells = levels.reduce((product, each) => product * each.length, 1);
  if (cells > MOST_CELLS) {
    postMessage({ kind: "uncounted", text: `The table would have ${cells} categories, and ${MOST_CELLS} is the most. Untick a column, or join values.` });
    return;
  }
  const LEFT_OUT = { missing: -1, total: -2, unlisted: -3 };
  const mappings = columns.map((at, place) => {
    const { values } = held.columns[at];
    const known = new Map(levels[place].flatMap((named, level) => named.map((value) => [value, level])));
    return Int32Array.from(values, (value) => {
      if (known.has(value)) return known.get(value);
      if (isMissing(value)) return missing[place] < 0 ? LEFT_OUT.missing : missing[place];
      return isTotal(value) ? LEFT_OUT.total : LEFT_OUT.unlisted;
    });
  });
  const codes = columns.map((at) => held.columns[at].codes);
  const sizes = levels.map((each) => each.length);
  const weights = weight === null ? null : held.columns[weight].values.map(Number);
  const weightCodes = weight === null ? null : held.columns[weight].codes;
  const counts = new Float64Array(cells);
  const left = { missing: 0, total: 0, unlisted: 0 };
  for (let row = 0; row < held.rows; row += 1) {
    let cell = 0;
    let out = 0;
    for (let place = 0; place < codes.length; place += 1) {
      const level = mappings[place][codes[place][row]];
      if (level < 0) out = Math.min(out, level);
      else cell = cell * sizes[place] + level;
    }
    const records = weights === null ? 1 : weights[weightCodes[row]];
    if (out === 0) counts[cell] += records;
    else if (out === LEFT_OUT.missing) left.missing += records;
    else if (out === LEFT_OUT.total) left.total += records;
    else left.unlisted += records;
  }
  postMessage({ kind: "counted", counts: Array.from(counts), left });
}

addEventListener("message", async ({ data }) => {
  try {
    if (data.kind === "read") await read(data);
    else if (data.kind === "people") await countPeople(data);
    else count(data);
  } catch (error) {
    if (data.kind === "read" && error instanceof TypeError && (data.encoding ?? "utf-8") === "utf-8") {
      await read({ ...data, encoding: "windows-1252" }).catch(() => postMessage({ kind: "refused", text: "The file could not be read in this encoding. Choose another one." }));
    } else {
      postMessage(data.kind === "read"
        ? { kind: "refused", text: "The file could not be read. Choose another encoding, or check that it is a text file." }
        : { kind: "uncounted", text: "The rows could not be counted. Choose the file again." });
    }
  }
});
