// Counts the rows of a table into cells.

import { placeOf } from "./groups.js";
import { isMissing, plain, wholeNumber } from "./tabular.js";

export const MOST_CELLS = 10000;
const MOST_REMEMBERED = 10000;
const MISSING = -1;
const UNLISTED = -2;
const OUTSIDE = -3;

// A counter of rows. Each of `columns` has its `place`, `levels` (of each level the values in the file that stand for
// it), `groups` or null with `groupLevels` (of each group its level), and `missing` (the level of missing values, or -1).
// `weight` is the place of the column with the number of records, or null; `unfold` are the places of columns that each
// have the counts of one value, which becomes the level of a last attribute; or null.
//
// `add(row)` counts a row; `left` has the records that were left out, and `marked` the cells of which a count is blank or
// not shown.
export function counter({ columns, weight = null, unfold = null, separator }) {
  const sizes = columns.map(({ size }) => size);
  const cells = sizes.reduce((product, size) => product * size, unfold ? unfold.length : 1);
  const counts = new Array(cells).fill(0);
  const marked = new Set();
  const left = { missing: 0, unlisted: 0, outside: 0 };
  const mappings = columns.map(({ levels, groups, groupLevels, missing }) => {
    const known = new Map(levels.flatMap((named, level) => named.map((value) => [value, level])));
    const remembered = new Map();
    const find = (given) => {
      const text = plain(given);
      if (known.has(text)) return known.get(text);
      const other = /^-?\d+[.,]\d+$/.test(text) ? text.replace(/[.,]/, (mark) => (mark === "," ? "." : ",")) : text;
      if (known.has(other)) return known.get(other);
      if (isMissing(text)) return missing < 0 ? MISSING : missing;
      const group = groups ? placeOf(groups, text, separator) : -1;
      if (group >= 0) return groupLevels[group];
      return groups ? OUTSIDE : UNLISTED;
    };
    return (given) => {
      let level = remembered.get(given);
      if (level === undefined) {
        level = find(given);
        if (remembered.size < MOST_REMEMBERED) remembered.set(given, level);
      }
      return level;
    };
  });

  const record = (cell, out, number) => {
    if (out !== 0) left[{ [MISSING]: "missing", [UNLISTED]: "unlisted", [OUTSIDE]: "outside" }[out]] += number ?? 0;
    else if (number === null) marked.add(cell);
    else counts[cell] += number;
  };

  const add = (row) => {
    let cell = 0;
    let out = 0;
    for (let at = 0; at < columns.length; at += 1) {
      const level = mappings[at](row[columns[at].place]);
      if (level < 0) out = Math.min(out, level);
      else cell = cell * sizes[at] + level;
    }
    if (unfold) unfold.forEach((place, at) => record(cell * unfold.length + at, out, wholeNumber(row[place], separator)));
    else record(cell, out, weight === null ? 1 : wholeNumber(row[weight], separator));
  };

  return { add, counts, left, marked };
}
