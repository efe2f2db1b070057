// The table in the text field, if it is written as it is sent. typed_table.py reads it, and says which line is wrong.

import { MOST_CELLS } from "./counting.js";
import { csvParser, FileError, plain } from "./tabular.js";

const SEPARATORS = [",", ";", "\t"];
const WHOLE = /^\d{1,16}$/;
const OTHER = "This is not written as it is sent: a line with the names of the columns, the last one count; then a line for each of at least two categories, with its values and a whole number, 0 for nobody.";

// The names of its attributes, and its lines, each with its values and its count. Throws FileError with a sentence.
export function pastedTable(given) {
  const text = given.replace(/^[\ufeff\r\n ]+/, "");
  const first = text.split(/[\r\n]/, 1)[0].replace(/"[^"]*"/g, "");
  const [separator, ...more] = SEPARATORS.filter((each) => first.includes(each));
  const rows = [];
  try {
    const parser = csvParser(separator ?? ",", (_, values) => {
      if (values.some((value) => value.trim())) rows.push(values.map(plain));
      if (rows.length > MOST_CELLS + 1) throw new FileError(OTHER);
    });
    parser.push(text);
    parser.end();
  } catch (error) {
    throw error instanceof FileError ? new FileError(OTHER) : error;
  }
  const [names, ...lines] = rows;
  const isTable = lines.length > 1 && !more.length && names.length > 1 && new Set(names).size === names.length && names.at(-1).toLowerCase() === "count"
    && rows.every((values) => values.length === names.length && values.every(Boolean)) && lines.every((values) => WHOLE.test(values.at(-1)));
  if (!isTable) throw new FileError(OTHER);
  return { names: names.slice(0, -1), lines: lines.map((values) => ({ values: values.slice(0, -1), count: Number(values.at(-1)) })) };
}
