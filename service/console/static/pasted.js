// The table in the text field, by the rules of typed_table.py.

import { MOST_CELLS } from "./counting.js";
import { addValue, columnOf, FileError, isMissing, isTotal, isUnnamed, plain, readText, study, wholeNumber } from "./tabular.js";

const MOST_NAMED = 3;
const MOST_COLUMNS = 1000;

const quotedNames = (names) => names.slice(0, MOST_NAMED).map((name) => `“${name}”`).join(", ") + (names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "");

function linesHave(numbers) {
  const shown = numbers.slice(0, MOST_NAMED).join(", ");
  if (numbers.length === 1) return `Line ${shown} has`;
  return `Lines ${shown}${numbers.length > MOST_NAMED ? ` and ${numbers.length - MOST_NAMED} more` : ""} have`;
}

// All other columns, without an unnamed number of the row if another column is left.
function kept(names, numbered, without) {
  const left = names.map((_, place) => place).filter((place) => !without.includes(place));
  const named = left.filter((place) => !(isUnnamed(names[place], place) && numbered.includes(place)));
  return named.length ? named : left;
}

function arranged({ names, rows }, found, { totals, unfold, numbersAreValues }) {
  if (found.unfolded.length && !numbersAreValues) {
    if (!unfold) {
      throw new FileError(`The columns ${quotedNames(found.unfolded.map((place) => names[place]))} look like counts of one value each. Write below the name of the column that they become, such as sex; or tick that they are values.`);
    }
    const sums = names.map((_, place) => place).filter((place) => isTotal(names[place], totals));
    const left = kept(names, found.numbered, [...found.unfolded, ...sums]);
    return {
      places: left,
      names: [...left.map((place) => names[place]), plain(unfold)],
      lines: rows.flatMap(({ line, values }) => found.unfolded.map((place) => ({ line, values: [...left.map((each) => values[each]), names[place], values[place]] }))),
    };
  }
  const last = found.counts ?? names.length - 1;
  const left = kept(names, found.numbered, [last]);
  const asked = left.filter((place) => found.asked.includes(place)).map((place) => names[place]);
  if (asked.length && !numbersAreValues) {
    throw new FileError(`${quotedNames(asked)} ${asked.length === 1 ? "has" : "have"} numbers that are mostly different. They may be counts, and would become public. Leave them out, or tick below that they are values.`);
  }
  return { places: left, names: left.map((place) => names[place]), lines: rows.map(({ line, values }) => ({ line, values: [...left.map((place) => values[place]), values[last]] })) };
}

function check(lines, { totals, totalsAreValues }) {
  const kinds = new Map();
  const note = (kind, line) => kinds.set(kind, [...(kinds.get(kind) ?? []), line]);
  let total = "";
  for (const { line, values } of lines) {
    const named = totalsAreValues ? undefined : values.slice(0, -1).find((value) => isTotal(value, totals));
    if (named !== undefined) {
      note("total", line);
      total ||= named;
    } else if (values.slice(0, -1).some((value) => !value)) note("empty", line);
    else if (isMissing(values.at(-1))) note("blank", line);
    else if (wholeNumber(values.at(-1)) === null) note("uncounted", line);
  }
  const said = [
    ["empty", "an empty value."],
    ["blank", "no count. Write 0 for a category without records."],
    ["uncounted", "a count that is not a whole number. Write thousands without a point or comma."],
    ["total", `the value “${total}”, as a row of totals has. Remove such rows, or tick below that it is a value like the others.`],
  ];
  const wrong = said.filter(([kind]) => kinds.has(kind)).map(([kind, what]) => `${linesHave([...new Set(kinds.get(kind))])} ${what}`);
  if (wrong.length) throw new FileError(wrong.join(" "));
}

// The table in a text: the names of its attributes, and its lines, each with its values and then the count. Throws
// FileError with a sentence.
export function pastedTable(text, { totals, unfold = "", numbersAreValues = false, totalsAreValues = false }) {
  let table;
  try {
    table = readText(text);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const said = error.message === "the file is empty" ? "It needs a line with the names of the columns, and lines for at least two categories" : error.message;
    throw new FileError(`${said[0].toUpperCase()}${said.slice(1)}.`);
  }
  if (table.names.length > MOST_COLUMNS) throw new FileError(`It has more than ${MOST_COLUMNS} columns.`);
  if (!table.namesLine) throw new FileError("The first line looks like data, and would be lost. Write a line with the names of the columns above it, or give each column a name that is not a number.");
  if (table.rows.length < 2) throw new FileError("It needs a line with the names of the columns, and lines for at least two categories.");
  if (table.rows.length > MOST_CELLS) throw new FileError(`It has more than ${MOST_CELLS} categories. Leave a column out, or join values.`);
  const rows = table.rows.map(({ line, values }) => ({ line, values: values.map(plain) }));
  const columns = table.names.map(() => columnOf());
  for (const { values } of rows) values.forEach((value, place) => addValue(columns[place], value, table.separator));
  const found = study(table.names, columns, rows.map(({ values }) => values), totals, table.separator);
  const made = arranged({ names: table.names, rows }, found, { totals, unfold, numbersAreValues });
  if (!made.names.length || made.places.some((place) => isUnnamed(table.names[place], place))) throw new FileError("The first line must name each column, and one column must have the counts.");
  if (new Set(made.names).size < made.names.length) throw new FileError("Two columns have the same name.");
  check(made.lines, { totals, totalsAreValues });
  return { names: made.names, lines: made.lines.map(({ line, values }) => ({ line, values: values.slice(0, -1), count: wholeNumber(values.at(-1)) })) };
}
