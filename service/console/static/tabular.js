// Rules for reading a table: separator, names, short lines, and what a column holds. They are those of
// docs/reference/files.md, and tests/files/cases.json holds them. Nothing here knows a page or a worker.

export const SEPARATORS = [",", ";", "\t", "|"];
export const SPACE = " ";
const MOST_COLUMNS = 16384;
const LONGEST_VALUE = 131072;
const SAMPLED_LINES = 500;
const SEPARATED = 100;
const MOST_TITLES = 50;
export const MOST_VALUES = 5000;
const MISSING = new Set(["", "na", "n/a", "#n/a", "nan", "null", ".", "-"]);
const LONGEST_MISSING = 4;
const words = (text) => new Set(text.trim().split(/\s+/));
const COUNTS = words(`freq freqs frequency frequencies count counts anzahl häufigkeit haeufigkeit fallzahl effectif effectifs
  fréquence frecuencia frequenza frequência contagem conteggio aantal frequentie antal antall lukumäärä liczba liczebność počet četnost
  число количество частота кількість πλήθος συχνότητα sayı frekans 人数 件数 度数 数量 例数 频数 빈도 인원`);
const PERHAPS_COUNTS = words(`n no num number obs cases people persons population total size fälle faelle zahl personen nombre cas
  personnes número numero casos cantidad personas casi persone gevallen fall tilfeller przypadki osoby případy db szám`);
const VALUES = new Set([...words("value values wert werte valeur valeurs valor valores valore valori observation observations"), "obs value"]);
const COUNTS_BEGIN = /^(number|count|no|nr|anzahl|zahl|nombre|número|numero|liczba|počet|aantal|antal|total) (of|der|von|de|di|d|med|av|af) /;
const MEASURES = words(`age ages year years month day week date time hour score weight height length income price cost amount salary rate
  percent share id nr code zip postcode lat lon latitude longitude rank grade level class stratum group block set
  alter jahr monat tag datum preis kosten gewicht größe plz année an mois jour âge poids prix año mes día edad
  peso anno mese giorno età jaar maand leeftijd år ålder alder rok wiek`);
const PERSON = [
  words(`patient patients person subject participant respondent passenger insured insuree member customer client employee
    student pupil pseudonym proband teilnehmer versicherter versicherte pid pnr ssn mrn nhs cpr pesel personnummer
    patientid subjectid personid participantid respondentid passengerid memberid patno subjid usubjid
    individual worker donor user woman mother child infant`),
  words("case policy policyid caseid claimant household record fall police vertrag"),
  words("id ids identifier nr nummer number no key uid uuid guid code"),
];
const JOINED = /(id|nr|no|num|number|nummer|code)$/;
const ROW = new Set([...PERSON[0], ...PERSON[2], ..."row rows rownames index x unnamed obs".split(" ")]);
const LEAST_DIFFERENT = 0.1;
const MOST_COMPARED = 10000;
const RECURRENCE = 4;
const NEARLY_ALL = 0.9;
const FEWEST_SPACED = 4;
const NUMBER = /^[-+−]?(\d{1,18}|\d{1,3}([ '\u00a0\u202f]\d{3})+)([.,]\d{1,18})?([eE][-+]?\d{1,2})?$/;
const GROUPED = /^[-+]?[1-9]\d{0,2}([.,])\d{3}(\1\d{3})*$/;
const WHOLE = /^(\d{1,16}|\d{1,3}([ '\u00a0\u202f]\d{3})+)([.,]0{1,2})?$/;
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
const TOTALS = new Set(`total|totals|subtotal|grand total|sum|all|overall|gesamt|insgesamt|summe|ensemble|totale|totaal|razem|suma|összesen|celkem|yhteensä|totalt|i alt`.split("|"));
export const isTotal = (text) => TOTALS.has((text.toLowerCase().match(/\p{L}+/gu) ?? []).join(" "));
const isBlank = (values) => values.every((value) => !value.trim());

// The number in a text, or null. In a file whose values are separated by semicolons, a comma is the decimal mark and
// 1.234 is a thousand. In other files 1,234 is.
export function numberOf(given, separator = ",") {
  const text = given.trim();
  const grouped = GROUPED.exec(text);
  if (grouped && (grouped[1] === (separator === ";" ? "." : ",") || text.split(grouped[1]).length > 2)) {
    return Number(text.replaceAll(grouped[1], ""));
  }
  if (!NUMBER.test(text)) return null;
  return Number(text.replace(/[ '\u00a0\u202f]/g, "").replace(",", ".").replace("−", "-"));
}

// The whole number in a text, as spreadsheets write it too (5.0, 5,0, 1 200), or null.
export function wholeNumber(given) {
  const text = given.trim();
  return WHOLE.test(text) ? Number(text.replace(/[.,]0{1,2}$/, "").replace(/[ '\u00a0\u202f]/g, "")) : null;
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
    const score = [length > 1 ? times / lengths.length : 0, length];
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

// Whether the names are one fewer than the values of each line below, as R leaves out the name of the row names.
function isShifted(records, at, usual) {
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

function isTitle(records, at, usual) {
  const { length } = records[at].values;
  if (usual < 2 || length >= usual + 1) return false;
  if (length === 1) return true;
  return length < usual - 1 || (length === usual - 1 && !isShifted(records, at, usual) && isNames(records, at, usual));
}

// Whether the first line has data: most of its values recur below, or it has numbers above all numbers. Rising numbers
// above several columns, such as years, are names.
function isData(first, rows) {
  const recurring = first.filter((value, place) => value.trim() && rows.some((row) => row[place] === value)).length;
  if (2 * recurring > first.length) return true;
  const columns = numberColumns(rows, first.length);
  const numbers = columns.map((place) => numberOf(first[place])).filter((number) => number !== null);
  if (!columns.length || numbers.length < columns.length) return false;
  return numbers.length === 1 || numbers.some((number, place) => place && numbers[place - 1] >= number);
}

function findNames(records, namesLine) {
  const [usual] = usualLength(records.slice(0, SEPARATED).map(({ values }) => values.length));
  if (namesLine) {
    const at = records.findIndex(({ line }) => line === namesLine);
    if (at < 0) throw new FileError(`line ${namesLine} has no names`);
    return { at, hasNames: true, shifted: isShifted(records, at, usual) };
  }
  let at = 0;
  while (at < Math.min(MOST_TITLES, records.length - 1) && isTitle(records, at, usual)) at += 1;
  if (namesLine === 0) return { at, hasNames: false, shifted: false };
  if (isShifted(records, at, usual)) return { at, hasNames: true, shifted: true };
  return { at, hasNames: !isData(records[at].values, records.slice(at + 1).map(({ values }) => values)), shifted: false };
}

// Takes the records of a file or sheet. Once the names are known, it calls `onNames(names)`, then `onRow(values, line)`
// for each row, which is as long as the names. `end` returns the names, their line (0 if there are none), and the
// numbers of short and blank lines. Throws FileError.
export function tableReader({ namesLine = null, isSheet = false }, onNames, onRow) {
  let sample = [];
  let names = null;
  let lineOfNames = 0;
  const left = { short: 0, blank: 0 };

  const row = (line, given) => {
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
    onRow(values, line);
  };

  const decide = () => {
    const filled = sample.filter(({ values }) => !isBlank(values)).map(({ line, values }) => ({ line, values: trimmed(values), raw: values.length }));
    if (!filled.length) throw new FileError("the file is empty");
    const { at, hasNames, shifted } = findNames(filled, namesLine);
    const widest = filled.slice(at + (hasNames ? 1 : 0)).reduce((most, { values }) => Math.max(most, values.length), 0);
    let found = Array.from({ length: widest }, () => "");
    if (hasNames) {
      found = shifted ? ["", ...filled[at].values] : filled[at].values.slice();
      while (found.length < Math.min(widest, filled[at].raw)) found.push("");
    }
    names = found.map((name, place) => plain(name) || `column ${place + 1}`);
    lineOfNames = hasNames ? filled[at].line : 0;
    onNames(names);
    const first = filled[at].line + (hasNames ? 1 : 0);
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
    return { names, namesLine: lineOfNames, ...left };
  };

  return { record, end };
}

// The different values of a column, without missing ones, in the order in which they come. Once there are too many, a
// further value is not examined.
export function columnOf(most = MOST_VALUES) {
  return { values: new Map(), rows: 0, missing: 0, examined: 0, whole: 0, numbers: 0, isRowNumber: true, isFull: false, most };
}

const isNumberText = (text, separator) => wholeNumber(text) !== null || numberOf(text, separator) !== null;

export function addValue(column, given, separator) {
  column.rows += 1;
  let known = column.values.get(given);
  if (known === undefined) {
    const text = plain(given);
    if (isMissing(text)) {
      column.missing += 1;
      column.isRowNumber = false;
      return;
    }
    known = column.values.get(text);
    if (known === undefined) {
      if (column.values.size >= column.most) {
        column.isFull = true;
        return;
      }
      known = { rows: 0, whole: wholeNumber(text), isNumber: isNumberText(text, separator) };
      column.values.set(text, known);
    }
  }
  known.rows += 1;
  column.examined += 1;
  if (known.whole !== null) column.whole += 1;
  if (known.isNumber) column.numbers += 1;
  if (known.whole !== column.rows) column.isRowNumber = false;
}

const different = (column) => column.values.size;
export const isWhole = (column) => column.examined > 0 && column.whole === column.examined;
export const isNumeric = (column) => column.examined > 0 && column.numbers >= NEARLY_ALL * column.examined;

// Whether the values are numbers in equal steps, as years and ages are, and counts hardly ever.
function isEvenlySpaced(column, separator) {
  const texts = [...column.values.keys()];
  const numbers = [...new Set(texts.map((text) => numberOf(text, separator)).filter((number) => number !== null))].sort((one, other) => one - other);
  const steps = new Set(numbers.slice(1).map((number, place) => Math.round((number - numbers[place]) * 1e9)));
  return !column.isFull && numbers.length === texts.length && numbers.length >= FEWEST_SPACED && steps.size === 1;
}

const wordsOf = (name) => name.replace(/([a-zà-ÿ])(?=[A-Z])/g, "$1 ").toLowerCase().match(/\p{L}+/gu) ?? [];
export const isUnnamed = (name, place) => name === `column ${place + 1}`;
const isCount = (name) => COUNTS.has(wordsOf(name).join(" ")) || COUNTS_BEGIN.test(`${wordsOf(name).join(" ")} `);

const hasWord = (name, known) => wordsOf(name).some((word) => known.has(word) || known.has(word.replace(JOINED, "")));
const namesPeople = (name) => PERSON.some((known) => hasWord(name, known));

const differ = (rows, places) => rows.length > 0 && new Set(rows.map((row) => JSON.stringify(places.map((place) => plain(row[place]))))).size === rows.length;

// The last column of a table of counts without names, or null.
function lastCounts(names, columns, rows, whole) {
  const last = names.length - 1;
  if (!whole.includes(last) || !names.every(isUnnamed)) return null;
  const others = columns.slice(0, last);
  if (last > 1 && others.some((column) => 2 * different(column) > column.rows)) return null;
  return differ(rows, others.map((_, place) => place)) ? last : null;
}

function findCounts(names, columns, rows, numbered) {
  const places = names.map((_, place) => place);
  const whole = places.filter((place) => isWhole(columns[place]) && !numbered.includes(place));
  const certain = whole.filter((place) => isCount(names[place]));
  if (certain.length === 1) return certain[0];
  if (certain.length > 1) return null;
  const isPerhaps = (name) => PERHAPS_COUNTS.has(name) || (VALUES.has(name) && !names.some(namesPeople));
  const perhaps = whole.filter((place) => isPerhaps(wordsOf(names[place]).join(" ")));
  const isMany = (place) => [...columns[place].values.values()].some((known) => known.whole > 1);
  const found = perhaps.find((place) => isMany(place) && differ(rows, places.filter((each) => each !== place && !numbered.includes(each))));
  return found ?? lastCounts(names, columns, rows, whole);
}

function findUnfolded(names, columns, rows, numbered, separator) {
  const isMeasure = (name) => (wordsOf(name).some((word) => MEASURES.has(word)) && !/\d/.test(name)) || isTotal(name);
  const places = names.map((_, place) => place).filter((place) => !numbered.includes(place));
  let whole = places.filter((place) => isWhole(columns[place]) && !isMeasure(names[place]));
  let others = places.filter((place) => !whole.includes(place) && columns[place].examined && !isTotal(names[place]));
  if (!others.length) others = numbered.slice();
  if (!differ(rows, others)) {
    others = [...others, ...whole.filter((place) => RECURRENCE * different(columns[place]) <= rows.length)];
    whole = whole.filter((place) => !others.includes(place));
  }
  if (whole.length < 2 || rows.length < 2 || !differ(rows, others)) return [];
  const isNone = others.some((place) => {
    const column = columns[place];
    return (isNumeric(column) && !isWhole(column) && !isEvenlySpaced(column, separator))
      || namesPeople(names[place])
      || (isWhole(column) && 2 * different(column) > column.rows && !isEvenlySpaced(column, separator));
  });
  return isNone ? [] : whole;
}

function findPerson(names, columns) {
  for (const each of PERSON) {
    const place = columns.findIndex((column, at) => different(column) > 1 && !(isNumeric(column) && !isWhole(column))
      && (column.isFull || different(column) >= LEAST_DIFFERENT * column.rows) && hasWord(names[at], each));
    if (place >= 0) return place;
  }
  return null;
}

// What the columns of a table seem to be. Each is a suggestion, and the owner decides: `counts` is the column with the
// number of records; `unfolded` are columns that each have counts of one value, as in a pivot; `asked` are columns of
// numbers, mostly different, whose values must not become public without a question; `person` names people. `rows` are
// the first rows, all of them if there are at most MOST_COMPARED.
export function study(names, columns, rows, separator) {
  const size = columns[0]?.rows ?? 0;
  const kept = size > MOST_COMPARED ? [] : rows;
  const places = names.map((_, place) => place);
  const numbered = places.filter((place) => columns[place].isRowNumber && size > 1 && (isUnnamed(names[place], place) || wordsOf(names[place]).some((word) => ROW.has(word))));
  let counts = findCounts(names, columns, kept, numbered);
  const isCertain = counts !== null && !isTotal(names[counts]) && isCount(names[counts]);
  const unfolded = isCertain ? [] : findUnfolded(names, columns, kept, numbered, separator);
  if (unfolded.includes(counts)) counts = null;
  const asked = places.filter((place) => place !== counts && !numbered.includes(place) && isNumeric(columns[place])
    && 2 * different(columns[place]) > size && !isEvenlySpaced(columns[place], separator));
  return { counts, unfolded, asked, person: counts === null && !unfolded.length ? findPerson(names, columns) : null, numbered };
}

export { MOST_COMPARED };

// A value as it has to stand in CSV.
export const quoted = (value) => (/[",;\t|\n\r]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
