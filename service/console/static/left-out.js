// What was left out of a file, and why, for the summary beside the steps. It stays in this tab of the browser, beside
// the table that it belongs to: the service never gets it.

const KEPT = "new-data-left-out";
const normal = (table) => table.replace(/\r\n?/g, "\n").trim();

export function keepLeftOut(table, said) {
  sessionStorage.setItem(KEPT, JSON.stringify({ table: normal(table), said }));
}

export function leftOut(table) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT));
    return kept.table === normal(table) ? kept.said : [];
  } catch {
    return [];
  }
}
