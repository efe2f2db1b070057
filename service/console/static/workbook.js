// Reads the sheets of an Excel file (.xlsx) in the browser: the parts
// of the packed file are found in its directory, unpacked by DecompressionStream, and their XML is read as it comes.

import { FileError } from "./tabular.js";

const MOST_UNPACKED = 512 * 2 ** 20;
const MOST_PARTS = 10000;
const MOST_TEXTS = 5000000;
const MOST_ROWS = 1048576;
const MOST_COLUMNS = 16384;
const LONGEST_VALUE = 131072;
const LONGEST_TAG = 65536;
const DIRECTORY_END = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_ENTRY = 0x04034b50;
const LONGEST_COMMENT = 65557;
const DAY = 86400;
const CODE = /"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi;
const DATE = "date";
const DURATION = "duration";
const FLOAT = /^[-+]?\d{1,400}(\.\d{0,400})?([eE][-+]?\d{1,3})?$/;
const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const damaged = () => new FileError("this Excel file is damaged");
const shownBy = (code) => (/\[(h+|m+|s+)\]/i.test(code.replace(/"[^"]*"/g, "")) ? DURATION : /[dmyhs]/i.test(code.replace(CODE, "")) && DATE);
const isDateFormat = (id) => (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
const whole = (text) => (/^\d{1,9}$/.test(text ?? "") ? Number(text) : 0);

function decoded(text) {
  if (!text.includes("&")) return text;
  return text.replace(/&(#x[0-9a-fA-F]{1,6}|#\d{1,7}|\w{1,8});/g, (_, name) => {
    if (name.startsWith("#")) {
      const code = name[1] === "x" ? parseInt(name.slice(2), 16) : Number(name.slice(1));
      if (code > 0x10ffff) throw damaged();
      return String.fromCodePoint(code);
    }
    if (!(name in ENTITIES)) throw damaged();
    return ENTITIES[name];
  });
}

function attributesOf(text) {
  const found = {};
  for (const [, name, double, single] of text.matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) found[name.replace(/^.*:/, "")] = decoded(double ?? single);
  return found;
}

// Calls `begin(name, attributes)`, `end(name)` and `text(text)` for XML that comes in parts. Names have no prefix; those
// with another prefix than the first one are of another namespace, as `x14:workbookPr` is, and are passed over.
function xmlReader({ begin, end = () => {}, text = () => {} }) {
  let rest = "";
  let prefix = null;
  const isOurs = (name) => /^.*:|^/.exec(name)[0] === prefix;
  const tag = (inner) => {
    if (inner.startsWith("!") && !inner.startsWith("![CDATA[")) throw new FileError("this Excel file has a document type, which no program for tables writes");
    if (inner.startsWith("?")) return;
    if (inner.startsWith("/")) {
      const name = inner.slice(1).trim();
      if (isOurs(name)) end(name.replace(/^.*:/, ""));
      return;
    }
    const closes = inner.endsWith("/");
    const [, name, given] = /^([^\s/]+)([^]*?)\/?$/.exec(inner);
    prefix ??= /^.*:|^/.exec(name)[0];
    const short = name.replace(/^.*:/, "");
    if (isOurs(name)) begin(short, given ? attributesOf(given) : {});
    if (closes && isOurs(name)) end(short);
  };
  return (part) => {
    rest += part;
    let at = 0;
    for (;;) {
      const opens = rest.indexOf("<", at);
      if (opens < 0) break;
      let closes = rest.indexOf(">", opens);
      if (rest.startsWith("<!--", opens)) {
        closes = rest.indexOf("-->", opens);
        if (closes < 0) break;
        if (opens > at) text(decoded(rest.slice(at, opens)));
        at = closes + 3;
        continue;
      }
      if (rest.startsWith("<![CDATA[", opens)) {
        closes = rest.indexOf("]]>", opens);
        if (closes < 0) break;
        if (opens > at) text(decoded(rest.slice(at, opens)));
        text(rest.slice(opens + 9, closes));
        at = closes + 3;
        continue;
      }
      if (closes < 0) break;
      if (opens > at) text(decoded(rest.slice(at, opens)));
      tag(rest.slice(opens + 1, closes));
      at = closes + 1;
    }
    rest = rest.slice(at);
    if (rest.length > LONGEST_TAG + 2 * LONGEST_VALUE) throw damaged();
  };
}

// A text of a cell, in which Excel writes some characters by their codes, such as _x000D_.
const cellText = (text) => (text.includes("_x") ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code) => String.fromCharCode(parseInt(code, 16))) : text);

function numberText(number) {
  return String(Number(number.toPrecision(15)));
}

// The date and time of Excel's number of a day, or the number if it is not a day. A duration is in hours.
function dateText(number, shows, begins1904) {
  const seconds = number >= 0 && number < 2958466 ? Math.floor(number * DAY + 0.5) : -1;
  if (seconds < 0 || seconds >= 2958466 * DAY) return numberText(number);
  const days = Math.floor(seconds / DAY);
  const second = seconds % DAY;
  const two = (part) => String(part).padStart(2, "0");
  if (shows === DURATION) return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  const time = `${two(Math.floor(second / 3600))}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)}`;
  if (days === 0 && !begins1904) return time;
  // Excel counts 29 February 1900, which was not a day.
  const first = begins1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30);
  const date = new Date(first + days * DAY * 1000).toISOString().slice(0, 10);
  return second ? `${date} ${time}` : date;
}

function columnOf(place, otherwise) {
  const letters = /^([A-Z]{1,3})\d{1,7}$/.exec(place ?? "")?.[1];
  let column = otherwise;
  if (letters) {
    column = 0;
    for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
    column -= 1;
  }
  if (column >= MOST_COLUMNS) throw new FileError(`a cell is beyond the ${MOST_COLUMNS} columns of a sheet`);
  return column;
}

// The parts of a packed file: name → where it begins, its sizes, and how it is packed.
async function partsOf(file) {
  const tail = file.slice(Math.max(0, file.size - LONGEST_COMMENT));
  const end = new DataView(await tail.arrayBuffer());
  let at = end.byteLength - 22;
  while (at >= 0 && end.getUint32(at, true) !== DIRECTORY_END) at -= 1;
  if (at < 0) throw new FileError("this packed file is damaged");
  const count = end.getUint16(at + 10, true);
  const size = end.getUint32(at + 12, true);
  const begins = end.getUint32(at + 16, true);
  if (count > MOST_PARTS) throw new FileError(`this packed file has more than ${MOST_PARTS} parts`);
  if (begins + size > file.size) throw new FileError("this packed file is damaged");
  const directory = new DataView(await file.slice(begins, begins + size).arrayBuffer());
  const parts = new Map();
  let place = 0;
  for (let each = 0; each < count; each += 1) {
    if (place + 46 > size || directory.getUint32(place, true) !== DIRECTORY_ENTRY) throw new FileError("this packed file is damaged");
    const nameLength = directory.getUint16(place + 28, true);
    const name = new TextDecoder().decode(new Uint8Array(directory.buffer, place + 46, Math.min(nameLength, size - place - 46)));
    parts.set(name, {
      flags: directory.getUint16(place + 8, true), method: directory.getUint16(place + 10, true), packed: directory.getUint32(place + 20, true),
      unpacked: directory.getUint32(place + 24, true), begins: directory.getUint32(place + 42, true),
    });
    place += 46 + nameLength + directory.getUint16(place + 30, true) + directory.getUint16(place + 32, true);
  }
  return parts;
}

async function readPart(file, parts, name, take, onBytes = () => {}) {
  const part = parts.get(name);
  if (!part) return;
  const tooLarge = () => new FileError(`${name} is larger than ${MOST_UNPACKED >> 20} MiB unpacked. Save the table as CSV`);
  if (part.unpacked > MOST_UNPACKED) throw tooLarge();
  const head = new DataView(await file.slice(part.begins, part.begins + 30).arrayBuffer());
  if (head.byteLength < 30 || head.getUint32(0, true) !== LOCAL_ENTRY || part.flags & 1 || ![0, 8].includes(part.method)) throw damaged();
  const begins = part.begins + 30 + head.getUint16(26, true) + head.getUint16(28, true);
  const packed = file.slice(begins, begins + part.packed);
  const stream = part.method === 0 ? packed.stream() : packed.stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const read = xmlReader(take);
  let size = 0;
  for (;;) {
    const chunk = await reader.read().catch(() => { throw damaged(); });
    if (chunk.done) break;
    size += chunk.value.length;
    if (size > MOST_UNPACKED) throw tooLarge();
    let text;
    try {
      text = decoder.decode(chunk.value, { stream: true });
    } catch {
      throw damaged();
    }
    read(text);
    onBytes(size, part.unpacked);
  }
}

// The range of cells that a sheet says it has, such as A1:D20; or "".
async function rangeOf(file, parts, name) {
  let range = "";
  class Enough extends Error {}
  try {
    await readPart(file, parts, name, {
      begin: (tag, given) => {
        if (tag === "dimension") range = given.ref ?? "";
        else if (tag === "sheetData") throw new Enough();
      },
    });
  } catch (error) {
    if (!(error instanceof Enough || error instanceof FileError)) throw error;
  }
  return range;
}

// The texts that the sheets share. A text has runs; what is read aloud (`rPh`) is not of it.
async function textsOf(file, parts) {
  const found = [];
  let text = "";
  let isText = false;
  let isAloud = false;
  await readPart(file, parts, "xl/sharedStrings.xml", {
    begin: (name) => {
      if (name === "si") text = "";
      else if (name === "rPh") isAloud = true;
      else if (name === "t") isText = !isAloud;
    },
    end: (name) => {
      if (name === "si") {
        if (found.length >= MOST_TEXTS) throw new FileError(`the file has more than ${MOST_TEXTS} texts. Save the table as CSV`);
        found.push(cellText(text));
      } else if (name === "rPh") isAloud = false;
      else if (name === "t") isText = false;
    },
    text: (part) => { if (isText) text += part; },
  });
  return found;
}

// For each style of a cell, whether it shows a date or a duration.
async function datesOf(file, parts) {
  const codes = new Map();
  const formats = [];
  let isInCells = false;
  await readPart(file, parts, "xl/styles.xml", {
    begin: (name, given) => {
      if (name === "numFmt") codes.set(whole(given.numFmtId), shownBy(given.formatCode ?? ""));
      else if (name === "cellXfs" || name === "cellStyleXfs") isInCells = name === "cellXfs";
      else if (name === "xf" && isInCells) formats.push(whole(given.numFmtId));
      else if (name === "cellStyles") isInCells = false;
    },
  });
  return formats.map((id) => codes.get(id) ?? (id === 46 ? DURATION : isDateFormat(id) && DATE));
}

// An Excel file: its sheets, and `rows(sheet, onRecord, onBytes)`, which calls `onRecord(line, values)` for each row that
// has a value, and returns how many of them are hidden, and how many formulas have no result. `sizes` are those of the sheets. Throws FileError.
export async function openWorkbook(file) {
  if (typeof DecompressionStream === "undefined") throw new FileError("this browser can't unpack Excel files. Save the table as CSV");
  const parts = await partsOf(file);
  if (!parts.has("xl/workbook.xml")) throw new FileError("this is a packed file, but not an Excel file (.xlsx). Save the table as .xlsx or CSV");
  const targets = new Map();
  const sheets = [];
  let begins1904 = false;
  await readPart(file, parts, "xl/_rels/workbook.xml.rels", {
    begin: (name, { Id, Target = "" }) => { if (name === "Relationship") targets.set(Id, Target.startsWith("/") ? Target.slice(1) : `xl/${Target}`); },
  });
  await readPart(file, parts, "xl/workbook.xml", {
    begin: (name, given) => {
      if (name === "sheet") sheets.push({ name: given.name ?? "", isHidden: (given.state ?? "visible") !== "visible", part: targets.get(given.id) ?? "" });
      else if (name === "workbookPr") begins1904 = ["1", "true"].includes(given.date1904);
    },
  });
  const tables = sheets.filter(({ part }) => part.includes("worksheets/"));
  let texts = null;
  let dates = null;

  const sheet = (name) => {
    const found = tables.find((each) => (name ? each.name === name : !each.isHidden));
    if (found) return found;
    throw new FileError(name ? `the file has no sheet '${name}'; it has ${tables.slice(0, 20).map((each) => `'${each.name}'`).join(", ")}` : "the file has no sheet with a table");
  };

  const rows = async (chosen, onRecord, onBytes) => {
    texts ??= await textsOf(file, parts);
    dates ??= await datesOf(file, parts);
    let line = 0;
    let hidden = 0;
    let unfilled = 0;
    let isFormula = false;
    let values = [];
    let column = -1;
    let kind = "n";
    let shows = false;
    let isValue = false;
    let isAloud = false;
    let isHidden = false;
    let text = null;
    const valueOf = (given) => {
      if (kind === "s") return texts[whole(given)] ?? "";
      if (kind === "inlineStr" || kind === "str") return cellText(given);
      if (kind === "b") return given.trim() === "1" ? "TRUE" : "FALSE";
      if (kind === "d") return given.replace("T", " ").replace(/ 00:00:00$/, "");
      const number = kind === "n" && FLOAT.test(given.trim()) ? Number(given) : NaN;
      if (Number.isNaN(number)) return given;
      return shows ? dateText(number, shows, begins1904) : numberText(number);
    };
    await readPart(file, parts, chosen.part, {
      begin: (name, given) => {
        if (name === "row") {
          line = whole(given.r) || line + 1;
          isHidden = ["1", "true"].includes(given.hidden);
          if (line > MOST_ROWS) throw new FileError(`row ${line} is beyond the ${MOST_ROWS} rows of a sheet`);
          values = [];
          column = -1;
        } else if (name === "c") {
          column = columnOf(given.r, column + 1);
          kind = given.t ?? "n";
          shows = dates[whole(given.s)] ?? false;
          text = null;
          isFormula = false;
        } else if (name === "f") isFormula = true;
        else if (name === "rPh") isAloud = true;
        else if (name === "v" || name === "t") isValue = !isAloud;
      },
      text: (part) => { if (isValue) text = (text ?? "") + part; },
      end: (name) => {
        if (name === "v" || name === "t") isValue = false;
        else if (name === "rPh") isAloud = false;
        else if (name === "c" && text === null) unfilled += isFormula && kind !== "str";
        else if (name === "c") {
          const value = valueOf(text);
          if (value.length > LONGEST_VALUE) throw new FileError(`row ${line} has a value of more than ${LONGEST_VALUE} characters`);
          while (values.length < column) values.push("");
          values.length = column;
          values.push(value);
        } else if (name === "row" && values.some(Boolean)) {
          hidden += isHidden;
          onRecord(line, values);
        }
      },
    }, onBytes);
    return { hidden, unfilled };
  };

  // Of each sheet its number of rows and of columns, if its beginning says so, or "".
  const sizes = async () => Promise.all(tables.map(async ({ part }) => {
    const [, columns, lines] = /^[A-Z]+\d+:([A-Z]{1,3})(\d{1,7})$/.exec(await rangeOf(file, parts, part)) ?? [];
    return columns ? `${lines} × ${columnOf(`${columns}1`, 0) + 1}` : "";
  }));

  return { sheets: tables, sheet, rows, sizes };
}
