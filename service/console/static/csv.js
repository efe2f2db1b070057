// Reads CSV (RFC 4180) in parts, as they come from a file.

const START = 0;
const PLAIN = 1;
const QUOTED = 2;
const AFTER_QUOTE = 3;
const QUOTE = 34;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

// Calls `onField` with each value and `onRow` at the end of each row. Push texts in order, then end.
export function csvReader(separator, onField, onRow) {
  const parting = separator.charCodeAt(0);
  let part = "";
  let state = START;
  let afterReturn = false;
  let fields = 0;

  const closeField = (text) => {
    onField(text, fields);
    fields += 1;
    part = "";
    state = START;
  };
  const closeRow = () => {
    onRow(fields);
    fields = 0;
  };

  const push = (text) => {
    let begin = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (state === QUOTED) {
        if (code === QUOTE) {
          part += text.slice(begin, at);
          begin = at + 1;
          state = AFTER_QUOTE;
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
        begin = at;
        state = PLAIN;
      }
      const wasReturn = afterReturn;
      afterReturn = false;
      if (code === parting) {
        closeField(part + text.slice(begin, at));
        begin = at + 1;
      } else if (code === LINE_FEED && wasReturn) {
        begin = at + 1;
      } else if (code === LINE_FEED || code === CARRIAGE_RETURN) {
        closeField(part + text.slice(begin, at));
        closeRow();
        begin = at + 1;
        afterReturn = code === CARRIAGE_RETURN;
      } else if (state === START) {
        if (code === QUOTE) {
          state = QUOTED;
          begin = at + 1;
        } else {
          state = PLAIN;
        }
      }
    }
    if (begin < text.length) part += text.slice(begin);
  };

  const end = () => {
    if (state !== START || part || fields) {
      closeField(part);
      closeRow();
    }
  };

  return { push, end };
}

// All rows of a text.
export function readRows(text, separator) {
  const rows = [];
  let row = [];
  const reader = csvReader(
    separator,
    (value) => row.push(value),
    () => {
      if (row.length > 1 || row[0].trim()) rows.push(row);
      row = [];
    },
  );
  reader.push(text);
  reader.end();
  return rows;
}

export const SEPARATORS = [",", ";", "\t", "|"];

// The separator that parts the first lines into the same number of values, and into the most.
export function findSeparator(text) {
  const score = (separator) => {
    const lengths = readRows(text, separator).slice(0, 20).map((row) => row.length);
    const alike = lengths.filter((length) => length === lengths[0]).length / Math.max(1, lengths.length);
    return lengths[0] > 1 ? alike * 1000 + lengths[0] : 0;
  };
  return SEPARATORS.reduce((best, each) => (score(each) > score(best) ? each : best));
}

// A value as it has to stand in CSV.
export const quoted = (value) => (/[",;\t\n\r]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
