// Reads the files of cases.json with the modules of the console, and prints what each gives: node read_cases.mjs STATIC.
// STATIC is a copy of service/console/static beside a package.json of the type "module".

import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const load = (name) => import(pathToFileURL(resolve(process.argv[2], `${name}.js`)));
const [files, tabular, counting, groups, pasted] = await Promise.all(["files", "tabular", "counting", "groups", "pasted"].map(load));
const parting = { comma: ",", semicolon: ";", tab: "\t", bar: "|", space: " " };
const nothing = () => {};

async function attempt(read) {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof tabular.FileError)) throw error;
    return { error: error.message };
  }
}

const open = (blob, { encoding, separator, names_line: line, sheet }) => files.openFile(blob, {
  encoding: encoding ?? null, separator: parting[separator] ?? null, namesLine: line ?? null, sheet: sheet ?? null,
});

async function read(blob, how) {
  const opened = await open(blob, how);
  let columns;
  const rows = [];
  const found = await opened.rows((names) => { columns = names.map(() => tabular.columnOf()); }, (row) => {
    rows.push(row);
    row.forEach((value, place) => tabular.addValue(columns[place], value, opened.separator));
  }, nothing);
  const seen = tabular.study(found.names, columns, rows, opened.separator);
  const name = (place) => (place === null ? null : found.names[place]);
  const facts = {
    encoding: opened.encoding, sheet: opened.sheet, separator: opened.separator, names: found.names, short: found.short, blank: found.blank,
    counts: name(seen.counts), unfolded: seen.unfolded.map(name), asked: seen.asked.map(name), person: name(seen.person),
    sheets: opened.sheets.length > 1 ? opened.sheets : [],
  };
  const full = Object.entries(facts).filter(([, value]) => (Array.isArray(value) ? value.length : value));
  return { ...Object.fromEntries(full), names_line: found.namesLine, rows: rows.length };
}

async function count(blob, table) {
  const opened = await open(blob, table.how);
  let names;
  await opened.rows((given) => { names = given; }, nothing, nothing);
  const columns = table.columns.map((each) => {
    const made = each.groups ? groups.groupsOf(each.groups) : null;
    const levels = made ? made.groups.map((group) => [group.name]) : each.values.map((value) => [value]);
    return { place: names.indexOf(each.name), levels, size: levels.length, groups: made, groupLevels: levels.map((_, level) => level), missing: -1 };
  });
  const counted = counting.counter({
    columns, separator: opened.separator, weight: table.counts_in ? names.indexOf(table.counts_in) : null,
    unfold: table.unfold ? table.unfold.columns.map((name) => names.indexOf(name)) : null,
  });
  await opened.rows(nothing, counted.add, nothing);
  return { counts: counted.counts, left: Object.fromEntries(Object.entries(counted.left).filter(([, records]) => records)) };
}

function paste(text) {
  const { names, lines } = pasted.pastedTable(text);
  return { attributes: names, lines: lines.length, records: lines.reduce((sum, line) => sum + line.count, 0) };
}

const results = {};
for (const kase of JSON.parse(readFileSync(join(here, "cases.json"), "utf8"))) {
  const bytes = readFileSync(join(here, kase.file));
  const blob = new Blob([bytes]);
  const result = { read: [], tables: [] };
  for (const { how } of kase.read) result.read.push(await attempt(() => read(blob, how)));
  for (const table of kase.tables ?? []) result.tables.push(await attempt(() => count(blob, table)));
  if (kase.paste) result.paste = await attempt(() => paste(bytes.toString("utf8")));
  results[kase.file] = result;
}
process.stdout.write(JSON.stringify(results));
