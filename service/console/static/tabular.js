// Rules for reading a table: separator, names, short lines, and what a column holds. They are those of
// docs/reference/files.md, and tests/files/cases.json holds them. Nothing here knows a page or a worker.

export const SEPARATORS = [",", ";", "\t", "|"];
export const SPACE = " ";
const MOST_COLUMNS = 16384;
const LONGEST_VALUE = 131072;
const SAMPLED_LINES = 500;
const SEPARATED = 100;
const MOST_TITLES = 50;
const FEWEST_LONG = 3;
const FIRST_YEAR = 1800;
const LAST_YEAR = 2100;
const FEWEST_RISING = 4;
const MOST_NOTES = 1000;
const MISSING = new Set(["", "na", "n/a", "#n/a", "nan", "null", ".", "-"]);
const LONGEST_MISSING = 4;
const NUMBER = /^[-+−]?(\d{1,18}|\d{1,3}([ '\u2019\u00a0\u2009\u202f]\d{3})+)([.,]\d{1,18})?([eE][-+]?\d{1,2})?$/;
const GROUPED = /^[-+]?[1-9]\d{0,2}([.,])\d{3}(\1\d{3})*$/;
const GROUPED_DECIMAL = /^[-+]?[1-9]\d{0,2}([.,])\d{3}(?:\1\d{3})*(?!\1)[.,]\d{1,18}$/;
const WHOLE = /^(\d{1,16}|\d{1,3}([ '\u2019\u00a0\u2009\u202f]\d{3})+)([.,]0{1,2})?$/;
const START = 0;
const BARE = 1;
const QUOTED = 2;
const AFTER_QUOTE = 3;
const QUOTE = 34;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

// The table can't be read. The sentence names the line and the rule.
export class FileError extends Error {}

export const plain = (text) => (/\s/.test(text) ? text.trim().replace(/\s+/g, " ") : text);
export const isMissing = (text) => (text.length > LONGEST_MISSING && !/\s/.test(text) ? false : MISSING.has(text.trim().toLowerCase()));
const isBlank = (values) => values.every((value) => !value.trim());

function isGrouped(text, separator) {
  const grouped = GROUPED.exec(text);
  return Boolean(grouped) && (grouped[1] === (separator === ";" ? "." : ",") || text.split(grouped[1]).length > 2);
}

// The number in a text, or null. In a file whose values are separated by semicolons, a comma is the decimal mark and
// 1.234 is a thousand. In other files 1,234 is.
export function numberOf(given, separator = ",") {
  const text = given.trim();
  if (isGrouped(text, separator)) return Number(text.replace(/[.,]/g, ""));
  const both = GROUPED_DECIMAL.exec(text);
  if (both) return Number(text.replaceAll(both[1], "").replace(",", "."));
  if (!NUMBER.test(text)) return null;
  return Number(text.replace(/[ '\u2019\u00a0\u2009\u202f]/g, "").replace(",", ".").replace("−", "-"));
}

// The whole number in a text, as spreadsheets write it too (5.0, 5,0, 1 200, and 1,200 or 1.200 as above), or null.
export function wholeNumber(given, separator = ",") {
  const text = given.trim();
  if (/^[1-9]/.test(text) && isGrouped(text, separator)) return numberOf(text, separator);
  return WHOLE.test(text) ? Number(text.replace(/[.,]0{1,2}$/, "").replace(/[ '\u2019\u00a0\u2009\u202f]/g, "")) : null;
}

// Reads CSV (RFC 4180) in parts, as they come from a file: calls `onRecord(line, values)` for each record. Push texts in
// order, then end. Throws FileError.
export function csvParser(separator, onRecord) {
  const parting = separator.charCodeAt(0);
  const isSpace = separator === SPACE;
  let part = "";
  let state = START;
  let afterReturn = false;
  let values = [];
  let line = 1;
  let begun = 1;

  const closeField = (text) => {
    if (text.length > LONGEST_VALUE) throw new FileError(`line ${begun} has a value of more than ${LONGEST_VALUE} characters`);
    values.push(text);
    if (values.length > MOST_COLUMNS) throw new FileError(`line ${begun} has more than ${MOST_COLUMNS} values`);
    part = "";
    state = START;
  };
  // A line without a character has no value; one with two quotation marks has an empty one.
  const closeRecord = (isEmpty) => {
    const given = isEmpty ? [] : values;
    values = [];
    onRecord(begun, given);
  };

  const push = (text) => {
    let begin = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      const wasReturn = afterReturn;
      afterReturn = code === CARRIAGE_RETURN;
      if (code === CARRIAGE_RETURN || (code === LINE_FEED && !wasReturn)) line += 1;
      if (state === QUOTED) {
        if (code === QUOTE) {
          part += text.slice(begin, at);
          begin = at + 1;
          state = AFTER_QUOTE;
          if (part.length > LONGEST_VALUE) throw new FileError(`line ${begun} has a value of more than ${LONGEST_VALUE} characters`);
        }
        continue;
      }
      if (state === AFTER_QUOTE) {
        if (code === QUOTE) {
          part += '"';
          begin = at + 1;
          state = QUOTED;
          continue;
        }
        if (code !== parting && code !== LINE_FEED && code !== CARRIAGE_RETURN) throw new FileError(`line ${begun} has a quotation mark without a partner`);
        begin = at;
      }
      if (isSpace && code === parting && state === START) {
        begin = at + 1;
      } else if (code === parting) {
        closeField(part + text.slice(begin, at));
        begin = at + 1;
      } else if (code === LINE_FEED && wasReturn) {
        begin = at + 1;
        begun = line;
      } else if (code === LINE_FEED || code === CARRIAGE_RETURN) {
        const isEmpty = state === START && !values.length;
        if (!isSpace || isEmpty || state !== START) closeField(part + text.slice(begin, at));
        closeRecord(isEmpty);
        begin = at + 1;
        begun = line;
      } else if (state === START) {
        if (code === QUOTE) {
          state = QUOTED;
          begin = at + 1;
        } else {
          state = BARE;
        }
      }
    }
    if (begin < text.length) part += text.slice(begin);
    if (part.length > LONGEST_VALUE) throw new FileError(`line ${begun} has a value of more than ${LONGEST_VALUE} characters`);
  };

  const end = () => {
    if (state === QUOTED) throw new FileError(`line ${begun} has a quotation mark without a partner`);
    if (state !== START || part || values.length) {
      if (!isSpace || state !== START) closeField(part);
      closeRecord(false);
    }
  };

  return { push, end };
}

// The first records of a text, as far as they can be read.
function firstRecords(text, separator, most) {
  const records = [];
  class Enough extends Error {}
  try {
    const parser = csvParser(separator, (_, values) => {
      if (records.length >= most) throw new Enough();
      records.push(values);
    });
    parser.push(text);
    parser.end();
  } catch (error) {
    if (!(error instanceof FileError || error instanceof Enough)) throw error;
  }
  return records;
}

// The length that occurs most often, the longer of two.
function usualLength(lengths) {
  const found = new Map();
  for (const length of lengths) found.set(length, (found.get(length) ?? 0) + 1);
  let best = 0;
  for (const [length, times] of found) {
    const most = found.get(best) ?? 0;
    if (times > most || (times === most && length > best)) best = length;
  }
  return [best, found.get(best) ?? 0];
}

// The separator that splits most of the first records into the same number of values.
export function findSeparator(text) {
  let best = SEPARATORS[0];
  let bestScore = [-1, 0];
  for (const separator of SEPARATORS) {
    const lengths = firstRecords(text, separator, SEPARATED).filter((values) => !isBlank(values)).map((values) => values.length);
    const [length, times] = usualLength(lengths);
    const score = [length > 1 ? times / lengths.length : 0, length > 1 && separator === "\t" ? Infinity : length];
    if (score[0] > bestScore[0] || (score[0] === bestScore[0] && score[1] > bestScore[1])) {
      best = separator;
      bestScore = score;
    }
  }
  return bestScore[0] === 0 && isSpaced(text) ? SPACE : best;
}

// Whether spaces split the lines below the first into as many values, and half of the columns have numbers.
function isSpaced(text) {
  const rows = firstRecords(text, SPACE, SEPARATED).filter((values) => !isBlank(values)).slice(1);
  const width = rows.length ? rows[0].length : 0;
  return width > 1 && rows.every((row) => row.length === width) && 2 * numberColumns(rows, width).length >= width;
}

// The separator that the first line of a file declares, as `sep=;` does; or "".
export const declaredSeparator = (text) => /^\ufeff?"?sep=(.)"?[ \t]*(\r|\n|$)/.exec(text)?.[1] ?? "";

function trimmed(values) {
  let { length } = values;
  while (length && !values[length - 1].trim()) length -= 1;
  return length === values.length ? values : values.slice(0, length);
}

// The columns that have numbers and nothing else.
function numberColumns(rows, width) {
  return Array.from({ length: width }, (_, place) => place).filter((place) => {
    const values = rows.filter((row) => row.length > place && !isMissing(row[place])).map((row) => row[place]);
    return values.length > 0 && values.every((value) => numberOf(value) !== null);
  });
}

// Whether the names are one fewer than the values of each line below, as R leaves out the name of the row names. Only
// spaces and tabs part such files: in others, the name that is missing is that of the last column.
function isShifted(records, at, usual, hasRowNames) {
  if (!hasRowNames) return false;
  const rows = records.slice(at + 1, at + 1 + SEPARATED).map(({ values }) => values);
  if (records[at].values.length !== usual - 1 || !rows.length || rows.some((row) => row.length !== usual)) return false;
  const columns = numberColumns(rows.length > 1 ? rows.slice(1) : rows, usual);
  return columns.length > 0 && columns.every((place) => numberOf(rows[0][place]) !== null);
}

// Whether the record below has names: one for each column, and texts above numbers.
function isNames(records, at, usual) {
  const below = records[at + 1].values;
  return below.length === usual && numberColumns(records.slice(at + 2, at + 2 + SEPARATED).map(({ values }) => values), usual).some((place) => numberOf(below[place]) === null);
}

// Whether a line has the names that the line below it lacks, as those of a pivot above merged cells.
const completes = ({ values }, below) => 2 * values.length > below.values.length && below.values.some((name, place) => !name.trim() && values[place]?.trim());

function isTitle(records, at, usual, hasRowNames) {
  const { length } = records[at].values;
  if (usual < 2 || length >= usual + 1) return false;
  if (length === 1) return true;
  if (completes(records[at], records[at + 1]) && isNames(records, at, usual)) return false;
  return length < usual - 1 || (length === usual - 1 && !isShifted(records, at, usual, hasRowNames) && isNames(records, at, usual));
}

// Whether the first line has data: most of its values recur below, or it has numbers above all numbers. Rising numbers
// above several columns are names if they are years, or at least four whole numbers.
function isData(first, rows) {
  const recurring = first.filter((value, place) => value.trim() && rows.some((row) => row[place] === value)).length;
  if (2 * recurring > first.length) return true;
  const columns = numberColumns(rows, first.length);
  const numbers = columns.map((place) => numberOf(first[place])).filter((number) => number !== null);
  if (!columns.length || numbers.length < columns.length) return false;
  const isYear = (number) => number >= FIRST_YEAR && number <= LAST_YEAR;
  return numbers.length === 1 || numbers.some((number, place) => (place && numbers[place - 1] >= number) || !Number.isInteger(number))
    || (numbers.length < FEWEST_RISING && !numbers.every(isYear));
}

// The length of most lines. Lines of one value are titles and notes if a quarter of all lines are alike and longer.
function tableWidth(lengths) {
  const [longer, times] = usualLength(lengths.filter((length) => length > 1));
  return times >= FEWEST_LONG && 4 * times >= lengths.length ? longer : usualLength(lengths)[0];
}

function findNames(records, namesLine, hasRowNames) {
  const usual = tableWidth(records.slice(0, SEPARATED).map(({ values }) => values.length));
  if (namesLine) {
    const at = records.findIndex(({ line }) => line === namesLine);
    if (at < 0) throw new FileError(`line ${namesLine} has no names`);
    return { at, hasNames: true, shifted: isShifted(records, at, usual, hasRowNames) };
  }
  let at = 0;
  while (at < Math.min(MOST_TITLES, records.length - 1) && isTitle(records, at, usual, hasRowNames)) at += 1;
  if (namesLine === 0) return { at, hasNames: false, shifted: false };
  if (isShifted(records, at, usual, hasRowNames)) return { at, hasNames: true, shifted: true };
  return { at, hasNames: !isData(records[at].values, records.slice(at + 1).map(({ values }) => values)), shifted: false };
}

// The columns before the first one of numbers: those of a pivot in which a value stands once for several rows.
function fillable(rows, width) {
  const numbers = numberColumns(rows, width);
  return numbers.length ? numbers[0] : width;
}

// Takes the records of a file or sheet. Once the names are known, it calls `onNames(names)`, then `onRow(values, line)`
// for each row, which is as long as the names. `end` returns the names, their line (0 if there are none), and the
// numbers of short and blank lines, and the notes below the table: its last lines, if each has one value. `twoLines`: the line below has names too. `fillDown`: an empty value in a column
// before the first one of numbers is that of the row above. Throws FileError.
export function tableReader({ namesLine = null, twoLines = false, fillDown = false, isSheet = false, hasRowNames = false }, onNames, onRow) {
  let sample = [];
  let names = null;
  let lineOfNames = 0;
  let filled = 0;
  let above = [];
  let notes = [];
  let hasRows = false;
  const left = { short: 0, blank: 0 };

  // A line of one value may be a note. What follows it decides.
  const row = (line, given) => {
    const size = given.filter((value) => value.trim()).length;
    if (size === 1 && hasRows && notes.length < MOST_NOTES && names.length > (given.length > 1 || isSheet ? 2 : 1)) {
      notes.push({ line, given });
      return;
    }
    if (size) {
      hasRows = true;
      for (const note of notes) take(note.line, note.given);
      notes = [];
    }
    take(line, given);
  };

  const take = (line, given) => {
    let values = given;
    let isShort = false;
    if (values.length !== names.length) {
      values = trimmed(given);
      if (values.length > names.length) {
        const said = lineOfNames ? `line ${lineOfNames} names ${names.length} column${names.length === 1 ? "" : "s"}` : `the first lines have ${names.length}`;
        throw new FileError(`line ${line} has ${values.length} values, and ${said}`);
      }
      isShort = given.length < names.length && !isSheet;
      values = values.slice();
      while (values.length < names.length) values.push("");
    }
    if (!given.length || (names.length > 1 && isBlank(values))) {
      left.blank += 1;
      return;
    }
    if (isShort) left.short += 1;
    if (filled) {
      values = values.map((value, place) => (place < filled && !value.trim() ? above[place] ?? "" : value));
      above = values;
    }
    onRow(values, line);
  };

  const decide = () => {
    const records = sample.filter(({ values }) => !isBlank(values)).map(({ line, values }) => ({ line, values: trimmed(values), raw: values.length }));
    if (!records.length) throw new FileError("the file is empty");
    const { at, hasNames, shifted } = findNames(records, namesLine, hasRowNames);
    const below = at + (hasNames ? 1 + twoLines : 0);
    const widest = records.slice(below).reduce((most, { values }) => Math.max(most, values.length), 0);
    let found = Array.from({ length: widest }, () => "");
    if (hasNames) {
      found = shifted ? ["", ...records[at].values] : records[at].values.slice();
      while (found.length < Math.min(widest, records[at].raw)) found.push("");
      const lacksOne = widest === found.length + 1 && records.slice(below).every(({ raw }) => raw === found.length + 1);
      if (lacksOne) found.push("");
      while (isSheet && found.length < widest) found.push("");
    }
    if (hasNames && twoLines && records[at + 1]) {
      let last = "";
      found = Array.from({ length: Math.max(found.length, widest) }, (_, place) => {
        last = plain(found[place] ?? "") || last;
        return [last, plain(records[at + 1].values[place] ?? "")].filter(Boolean).join(" ");
      });
    }
    names = found.map((name, place) => plain(name) || `column ${place + 1}`);
    lineOfNames = hasNames ? records[at].line : 0;
    if (fillDown) filled = fillable(records.slice(below).map(({ values }) => values), names.length);
    onNames(names);
    const first = records[below]?.line ?? Infinity;
    const held = sample;
    sample = null;
    for (const { line, values } of held) if (line >= first) row(line, values);
  };

  const record = (line, values) => {
    if (names) {
      row(line, values);
      return;
    }
    sample.push({ line, values });
    if (sample.length >= SAMPLED_LINES) decide();
  };

  const end = () => {
    if (!names) decide();
    return { names, namesLine: lineOfNames, notes: notes.map(({ given }) => given.find((value) => value.trim())), ...left };
  };

  return { record, end };
}

// A value as it has to stand in CSV.
export const quoted = (value) => (/[",;\t|\n\r]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
