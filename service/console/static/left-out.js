// What was left out of a file, and why, for the summary beside the steps. It stays in this tab of the browser, beside
// the table that it belongs to: the service never gets it.

import { keep, kept } from "./kept.js";

const KEPT = "new-data-left-out";
const normal = (table) => table.replace(/\r\n?/g, "\n").trim();

export function keepLeftOut(table, said) {
  keep(KEPT, { table: normal(table), said });
}

export function leftOut(table) {
  const found = kept(KEPT);
  return found?.table === normal(table) ? found.said : [];
}
