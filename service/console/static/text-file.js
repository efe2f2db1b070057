// A file is put into the field that is sent: proof.txt as it is, and a table as lines of CSV, whatever file it was in.

import { openFile } from "./files.js";
import { FileError, quoted, wholeNumber } from "./tabular.js";

const MOST_BYTES = 2 ** 20;
const MOST_LINES = 10000;
const nothing = () => {};

async function textIn(file) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw new FileError("this is not a text");
  }
}

// The rows of a table, with its counts as plain numbers.
async function tableIn(file) {
  const opened = await openFile(file);
  const rows = [];
  const { names } = await opened.rows(nothing, (row) => {
    if (rows.length >= MOST_LINES) throw new FileError(`the table has more than ${MOST_LINES} rows`);
    rows.push([...row.slice(0, -1), String(wholeNumber(row.at(-1), opened.separator) ?? row.at(-1))]);
  }, nothing);
  return [names, ...rows].map((row) => row.map(quoted).join(",")).join("\n");
}

for (const input of document.querySelectorAll("input[type=file][data-into]")) {
  const field = document.getElementById(input.dataset.into);
  const said = document.getElementById(`${input.id}-said`);
  input.closest("[hidden]").hidden = false;
  input.addEventListener("change", async () => {
    const [file] = input.files;
    if (!file) return;
    try {
      if (file.size > MOST_BYTES) throw new FileError("the file has more than 1 MB");
      field.value = await (input.dataset.into === "table" ? tableIn : textIn)(file);
      said.textContent = `${file.name} is in the field below. Check it, then send it.`;
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      said.textContent = `${error.message[0].toUpperCase()}${error.message.slice(1)}.`;
    }
  });
}
