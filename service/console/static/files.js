// Opens a CSV or Excel file (a Blob), finds how it is written, and reads its rows as often as they are needed. The rules
// are those of docs/reference/files.md. Nothing leaves the browser.

import { differing, findEncodings } from "./encodings.js";
import { csvParser, declaredSeparator, FileError, findSeparator, SPACE, tableReader } from "./tabular.js";
import { openWorkbook } from "./workbook.js";

const SAMPLED_BYTES = 262144;
const TEXT_KINDS = [
  [/^\s*(\{\s*"|\[\s*[{[])/, "a JSON file"],
  [/^\s*(<!doctype html|<html)/i, "a web page (HTML)"],
  [/^\s*<(\?xml|[a-z!])/i, "an XML file"],
];
const OTHER_KINDS = [
  [[0xd0, 0xcf, 0x11, 0xe0], "an old Excel file (.xls), or one with a password"],
  ["%PDF", "a PDF file"],
  [[0x1f, 0x8b], "a packed file"],
  ["PAR1", "a Parquet file"],
  ["$FL", "an SPSS file"],
  ["<stata_dta>", "a Stata file"],
  ["RDX", "an R file"],
];
const REMEDY = "Save the table as .xlsx without a password, or as CSV";

const begins = (bytes, signature) => Array.from(signature, (each) => (typeof each === "string" ? each.charCodeAt(0) : each)).every((code, at) => bytes[at] === code);

// A file that is open: how it is written, and `rows(onNames, onRow, onBytes)`, which reads all of it and returns the
// names, their line, and the numbers of short, blank and hidden lines. What is null in `how` is found. `near` has other encodings of
// texts that may be right, each with a line that it shows. Throws FileError.
export async function openFile(file, how = {}) {
  const start = new Uint8Array(await file.slice(0, 16).arrayBuffer());
  if (begins(start, [0x50, 0x4b, 3, 4])) return openExcel(file, how);
  if (how.sheet) throw new FileError("this file has no sheets");
  const other = OTHER_KINDS.find(([signature]) => begins(start, signature));
  if (other) throw new FileError(`this is ${other[1]}. ${REMEDY}`);
  return openText(file, how);
}

async function openExcel(file, how) {
  const book = await openWorkbook(file);
  const sheet = book.sheet(how.sheet);
  const rows = async (onNames, onRow, onBytes) => {
    const reader = tableReader({ ...how, isSheet: true }, onNames, onRow);
    const { hidden, unfilled } = await book.rows(sheet, reader.record, onBytes);
    return { ...reader.end(), hidden, unfilled };
  };
  return { encoding: "", separator: "", sheet: sheet.name, sheets: book.sheets.map(({ name }) => name), sizes: await book.sizes(), near: [], rows };
}

async function openText(file, how) {
  const likely = how.encoding ? [how.encoding] : await findEncodings(file);
  const [encoding] = likely;
  if (!encoding) throw new FileError(`this is neither a text nor an Excel file. ${REMEDY}`);
  const start = await file.slice(0, SAMPLED_BYTES).arrayBuffer();
  const wrong = () => new FileError(`the file is not written in ${encoding}. Choose another encoding`);
  let sample;
  try {
    sample = new TextDecoder(encoding, { fatal: true }).decode(start, { stream: true });
  } catch {
    throw wrong();
  }
  const kind = TEXT_KINDS.find(([pattern]) => pattern.test(sample.replace(/^\ufeff/, "")));
  if (kind) throw new FileError(`this is ${kind[1]}. ${REMEDY}`);
  const declared = declaredSeparator(sample);
  const body = declared ? sample.replace(/^[^\r\n]*/, "") : sample;
  const separator = how.separator ?? (declared || findSeparator(body));
  const rows = async (onNames, onRow, onBytes) => {
    const reader = tableReader({ ...how, hasRowNames: separator === SPACE || separator === "\t" }, onNames, onRow);
    const parser = csvParser(separator, reader.record);
    const decoder = new TextDecoder(encoding, { fatal: true });
    const decode = (...given) => {
      try {
        return decoder.decode(...given);
      } catch {
        throw wrong();
      }
    };
    const stream = file.stream().getReader();
    let done = 0;
    let isDeclaring = Boolean(declared);
    for (;;) {
      const part = await stream.read();
      if (part.done) break;
      let text = decode(part.value, { stream: true });
      if (isDeclaring) text = text.replace(/^[^\r\n]*/, "");
      isDeclaring = false;
      parser.push(text);
      done += part.value.length;
      onBytes(done, file.size);
    }
    parser.push(decode());
    parser.end();
    return reader.end();
  };
  return { encoding, separator, sheet: "", sheets: [], sizes: [], near: differing(likely, new Uint8Array(start)), rows };
}
