// Reads a file and counts its rows, beside the page, so that the page stays usable. No row leaves this worker but the
// first few, which the page shows.

import { csvReader, findSeparator, readRows } from "./csv.js";

const SNIFFED_BYTES = 262144;
const MOST_VALUES = 5000;
const MOST_CELLS = 10000;
const SHOWN_ROWS = 5;
const MISSING = new Set(["", "na", "n/a", "nan", "null", ".", "-"]);
const TOTALS = new Set([
  "total", "totals", "sum", "all", "gesamt", "insgesamt", "summe", "ensemble", "totale", "totaal", "razem", "suma",
  "összesen", "celkem", "yhteensä", "totalt", "i alt",
]);

let held = null;

const plain = (value) => value.trim().replace(/\s+/g, " ");
const isNumber = (value) => value !== "" && Number.isFinite(Number(value.replace(",", ".")));

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

async function read({ file, encoding, separator, header }) {
  const begun = performance.now();
  const start = new Uint8Array(await file.slice(0, SNIFFED_BYTES).arrayBuffer());
  const chosen = encoding ?? findEncoding(start);
  const sample = new TextDecoder(chosen).decode(start, { stream: true });
  const parting = separator ?? findSeparator(sample);
  const first = (readRows(sample.slice(0, 20000), parting)[0] ?? []).map(plain);
  const named = first.length > 0 && first.every((value) => value && !isNumber(value)) && new Set(first).size === first.length;
  const hasHeader = header ?? named;

  let columns = [];
  let names = [];
  let row = [];
  let rows = 0;
  let ragged = 0;
  let width = 0;
  const shown = [];
  const reader = csvReader(
    parting,
    (value, at) => { row[at] = value; },
    (length) => {
      if (length === 1 && !row[0].trim()) return;
      if (!width) {
        width = length;
        names = Array.from({ length }, (_, at) => (hasHeader && plain(row[at])) || `column ${at + 1}`);
        columns = names.map(column);
        if (hasHeader) return;
      }
      if (length !== width) {
        ragged += 1;
        return;
      }
      if (shown.length < SHOWN_ROWS) shown.push(row.slice(0, length));
      for (let at = 0; at < length; at += 1) add(columns[at], row[at], rows);
      rows += 1;
    },
  );
  const decoder = new TextDecoder(chosen, { fatal: true });
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
  held = { columns, rows };
  postMessage({
    kind: "read",
    encoding: chosen,
    separator: parting,
    header: hasHeader,
    names,
    rows,
    ragged,
    shown,
    columns: columns.map((each) => ({
      values: each.tooMany ? null : each.values.map((value, at) => [value, each.counts[at]]),
      isNumeric: !each.tooMany && each.values.every((value) => value === "" || /^\d{1,15}$/.test(value)),
      isMissing: each.tooMany ? [] : each.values.map((value) => MISSING.has(value.toLowerCase())),
      isTotal: each.tooMany ? [] : each.values.map((value) => TOTALS.has(value.toLowerCase())),
    })),
    seconds: (performance.now() - begun) / 1000,
  });
}

// `levels`: of each column the values in the file that stand for each level, in order. Rows with another value are left
// out; `missing` is the level of missing values, or -1.
function count({ columns, levels, missing, weight }) {
  const begun = performance.now();
  const cells = levels.reduce((product, each) => product * each.length, 1);
  if (cells > MOST_CELLS) {
    postMessage({ kind: "refused", text: `The table would have ${cells} cells, and ${MOST_CELLS} is the most. Leave a column out, or join values.` });
    return;
  }
  const LEFT_OUT = { missing: -1, total: -2, unlisted: -3 };
  const mappings = columns.map((at, place) => {
    const { values } = held.columns[at];
    const known = new Map(levels[place].flatMap((named, level) => named.map((value) => [value, level])));
    return Int32Array.from(values, (value) => {
      if (known.has(value)) return known.get(value);
      if (MISSING.has(value.toLowerCase())) return missing[place] < 0 ? LEFT_OUT.missing : missing[place];
      return TOTALS.has(value.toLowerCase()) ? LEFT_OUT.total : LEFT_OUT.unlisted;
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
  postMessage({ kind: "counted", counts: Array.from(counts), left, seconds: (performance.now() - begun) / 1000 });
}

addEventListener("message", async ({ data }) => {
  try {
    if (data.kind === "read") await read(data);
    else count(data);
  } catch (error) {
    if (data.kind === "read" && error instanceof TypeError && (data.encoding ?? "utf-8") === "utf-8") {
      await read({ ...data, encoding: "windows-1252" }).catch(() => postMessage({ kind: "refused", text: "The file could not be read in this encoding. Choose another one." }));
    } else {
      postMessage({ kind: "refused", text: data.kind === "read" ? "The file could not be read. Choose another encoding, or check that it is a text file." : "The rows could not be counted." });
    }
  }
});
