// Reads the files of cases.json with the modules of the console, and prints what each gives: node read_cases.mjs STATIC.
// STATIC is a copy of service/console/static beside a package.json of the type "module".

import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const load = (name) => import(pathToFileURL(resolve(process.argv[2], `${name}.js`)));
const [files, tabular, counting, groups, pasted, studying, summing, encoding, workbook] = await Promise.all(["files", "tabular", "counting", "groups", "pasted", "study", "totals", "encodings", "workbook"].map(load));
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

const open = (blob, { encoding, separator, names_line: line, sheet, two_lines: twoLines = false, fill_down: fillDown = false }) => files.openFile(blob, {
  encoding: encoding ?? null, separator: parting[separator] ?? null, namesLine: line ?? null, sheet: sheet ?? null, twoLines, fillDown,
});

async function read(blob, how) {
  const opened = await open(blob, how);
  let columns;
  const rows = [];
  const found = await opened.rows((names) => { columns = names.map(() => studying.columnOf()); }, (row) => {
    rows.push(row);
    row.forEach((value, place) => studying.addValue(columns[place], value, opened.separator));
  }, nothing);
  const seen = studying.study(found.names, columns, rows);
  const { numbered } = seen;
  const unfold = seen.unfolded.length ? seen.unfolded : null;
  const totals = summing.totalsInFile({ columns, rows, numbered, weight: unfold ? null : seen.counts, unfold, separator: opened.separator });
  const name = (place) => (place === null ? null : found.names[place]);
  const facts = {
    encoding: opened.encoding, sheet: opened.sheet, separator: opened.separator, names: found.names, short: found.short, blank: found.blank,
    counts: name(seen.counts), unfolded: seen.unfolded.map(name), asked: seen.asked.map(name), person: name(seen.person),
    sheets: opened.sheets.length > 1 ? opened.sheets : [], sizes: opened.sizes.length > 1 ? opened.sizes : [], near: opened.near.map(({ name: near }) => near),
    is_certain: seen.isCertain, hidden: found.hidden, notes: found.notes, unfilled: found.unfilled,
    totals: totals.values.map(({ place, value }) => (value === null ? [found.names[place]] : [found.names[place], value])), sum_row: totals.row + 1,
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
  const skipped = (table.skip ?? []).map(([name, value]) => [names.indexOf(name), value]);
  await opened.rows(nothing, (row) => { if (!skipped.some(([place, value]) => tabular.plain(row[place]) === value)) counted.add(row); }, nothing);
  const marked = [...counted.marked];
  if (table.totals) {
    const rows = [];
    let seen;
    await opened.rows((given) => { seen = given.map(() => studying.columnOf()); }, (row) => {
      rows.push(row);
      row.forEach((value, place) => studying.addValue(seen[place], value, opened.separator));
    }, nothing);
    const { values } = summing.totalsInFile({ columns: seen, rows, numbered: [], weight: names.indexOf(table.counts_in), unfold: null, separator: opened.separator });
    counted.totals = values.map(({ place, value }) => [names[place], value]);
  }
  return { counts: counted.counts, ...(marked.length ? { marked } : {}), ...(table.totals ? { totals: counted.totals } : {}), left: Object.fromEntries(Object.entries(counted.left).filter(([, records]) => records)) };
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
// Whole kinds, given as JSON: what a table with each name of counts seems to be, the totals of each name, the month of
// each date, the encoding of each text, and the cells of workbooks.
const kinds = JSON.parse(readFileSync(0, "utf8") || "{}");
const openText = (text) => files.openFile(new Blob([text]));
async function studied(text) {
  const opened = await openText(text);
  const rows = [];
  let columns;
  const { names } = await opened.rows((given) => { columns = given.map(() => studying.columnOf()); }, (row) => {
    rows.push(row);
    row.forEach((value, place) => studying.addValue(columns[place], value, opened.separator));
  }, nothing);
  return { names, columns, rows, seen: studying.study(names, columns, rows), opened };
}
results.names = {};
for (const name of kinds.names ?? []) {
  const { names, seen } = await studied(`land;sex;${name}\nA;f;31\nA;m;17\nB;f;120\nB;m;17\nC;f;8\nC;m;44\n`);
  results.names[name] = { counts: names[seen.counts] ?? null, person: names[seen.person] ?? null };
}
results.totals = {};
for (const name of kinds.totals ?? []) {
  const lines = [["A", 31, 17], ["B", 120, 17], ["C", 8, 44]].flatMap(([land, one, other]) => [`${land};${name};${one + other}`, `${land};f;${one}`, `${land};m;${other}`]);
  const { columns, rows, opened } = await studied(["land;sex;count", ...lines].join("\n"));
  results.totals[name] = summing.totalsInFile({ columns, rows, numbered: [], weight: 2, unfold: null, separator: opened.separator }).values.map(({ value }) => value);
}
results.sums = (kinds.sums ?? []).map((cells) => summing.totalsAmong(Object.entries(cells).map(([label, count]) => ({ levels: [label], count }))).map(({ value }) => value));
results.dates = (kinds.dates ?? []).map(([text, order]) => groups.monthOf(text, order)).map((month) => (month === null ? null : `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}`));
results.orders = (kinds.orders ?? []).map((texts) => groups.orderOf(texts));
results.rules = [];
for (const [rule, order] of kinds.rules ?? []) results.rules.push(await attempt(() => groups.groupsOf(rule, order).groups.map(({ name }) => name)));
results.marks = (kinds.marks ?? []).map((text) => studying.isMark(text));
results.encodings = {};
for (const [name, text] of Object.entries(kinds.encodings ?? {})) results.encodings[name] = await encoding.findEncodings(new Blob([Buffer.from(text, "base64")]));
results.workbooks = {};
for (const name of kinds.workbooks ?? []) {
  const book = await workbook.openWorkbook(new Blob([readFileSync(join(here, name))]));
  results.workbooks[name] = {};
  for (const sheet of book.sheets) {
    const cells = {};
    await book.rows(sheet, (line, values) => values.forEach((value, place) => { if (value) cells[`${line} ${place + 1}`] = value; }), nothing);
    results.workbooks[name][sheet.name] = cells;
  }
}
process.stdout.write(JSON.stringify(results));
