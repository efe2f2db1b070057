// What was left out of a file, and why, for the page before the registration. It stays in this tab of the browser, beside
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

const place = document.querySelector("#left-out");
if (place) {
  const said = leftOut(document.querySelector("input[name=table], textarea[name=table]").value);
  place.hidden = !said.length;
  place.textContent = `${said.join(" ")} Only you see this, and nothing of it is sent.`;
}
