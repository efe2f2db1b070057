// The table in the text field, by the rules of typed_table.py and plain_table.py.

import { MOST_CELLS } from "./counting.js";
import { csvParser, FileError, plain } from "./tabular.js";

const MOST_NAMED = 3;
const MOST_COLUMNS = 1000;
const SEPARATORS = [",", ";", "\t"];
const WHOLE = /^\d{1,16}$/;

function linesHave(numbers) {
  const shown = numbers.slice(0, MOST_NAMED).join(", ");
  if (numbers.length === 1) return `Line ${shown} has`;
  return `Lines ${shown}${numbers.length > MOST_NAMED ? ` and ${numbers.length - MOST_NAMED} more` : ""} have`;
}

function check(rows) {
  const kinds = { "an empty value.": [], "no count. Write 0 for a category without records.": [], "a count that is not a whole number. Write it with digits alone.": [] };
  const [empty, blank, uncounted] = Object.values(kinds);
  for (const { line, values } of rows) {
    if (!values.slice(0, -1).every(Boolean)) empty.push(line);
    else if (!values.at(-1)) blank.push(line);
    else if (!WHOLE.test(values.at(-1))) uncounted.push(line);
  }
  const wrong = Object.entries(kinds).filter(([, lines]) => lines.length).map(([what, lines]) => `${linesHave(lines)} ${what}`);
  if (wrong.length) throw new FileError(wrong.join(" "));
}

function parsed(text, separator) {
  const rows = [];
  let names = null;
  const parser = csvParser(separator, (line, given) => {
    const values = given.map(plain);
    if (!values.some(Boolean)) return;
    if (names && values.length !== names.length) throw new FileError(`line ${line} has ${values.length} value${values.length === 1 ? "" : "s"}, and the first line names ${names.length} columns`);
    if (names) rows.push({ line, values });
    else names = values;
    if (rows.length > MOST_CELLS) throw new FileError(`it has more than ${MOST_CELLS} lines. Leave a column out, or join values`);
  });
  parser.push(text);
  parser.end();
  return { names, rows };
}

// The table in a text: the names of its attributes, and its lines, each with its values and its count. Throws FileError
// with a sentence.
export function pastedTable(given) {
  const text = given.replace(/^[\ufeff\r\n ]+/, "");
  const first = text.split(/[\r\n]/, 1)[0].replace(/"[^"]*"/g, "");
  const found = SEPARATORS.filter((separator) => first.includes(separator));
  if (found.length !== 1) throw new FileError("The first line must name the columns, with one of comma, semicolon or tab between the names.");
  let table;
  try {
    table = parsed(text, found[0]);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new FileError(`${error.message[0].toUpperCase()}${error.message.slice(1)}.`);
  }
  const { names, rows } = table;
  if (names.length > MOST_COLUMNS) throw new FileError(`It has more than ${MOST_COLUMNS} columns.`);
  if (!names.every(Boolean)) throw new FileError("The first line must name each column.");
  if (new Set(names).size < names.length) throw new FileError("Two columns have the same name.");
  if (rows.length < 2) throw new FileError("It needs a line with the names of the columns, and lines for at least two categories.");
  if (names.at(-1).toLowerCase() !== "count") throw new FileError("The last column must be called count, and have the number of records of each line.");
  check(rows);
  return { names: names.slice(0, -1), lines: rows.map(({ line, values }) => ({ line, values: values.slice(0, -1), count: Number(values.at(-1)) })) };
}
