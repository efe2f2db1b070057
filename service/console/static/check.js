// Check a release: a worker runs the checker on the chosen files, and this page shows its lines. Nothing is sent.

import { startWorker } from "./module-worker.js";
import { $, element, grouped, many, onDrop } from "./page.js";

const MOST_FILES = 200;
const MOST_BYTES = 64 * 2 ** 20;
const WORDS = ["false", "not checked", "agrees", "holds"];
const TAGS = { false: "tag bad", "not checked": "tag warn" };
const shown = new Blob([JSON.stringify(JSON.parse($("checking").dataset.keys))]);
let chosen = [], asked = 0;

const worker = startWorker("check-worker.js");
worker.addEventListener("message", ({ data }) => {
  if (data.asked !== asked) return;
  if (data.text) fail(data.text);
  else show(data.lines);
});
worker.addEventListener("error", () => fail("The checker could not be loaded."));

function fail(text) {
  $("said").textContent = "";
  $("error").textContent = text;
  $("error").hidden = false;
  $("lines").replaceChildren();
}

function run() {
  asked += 1;
  $("error").hidden = true;
  $("again").hidden = !chosen.length;
  $("lines").replaceChildren();
  if (!chosen.length) return;
  if (!globalThis.crypto?.subtle) { fail("Browsers check signatures only on pages that came over HTTPS."); return; }
  if (chosen.length > MOST_FILES) { fail(`At most ${MOST_FILES} files are checked at once.`); return; }
  if (chosen.reduce((sum, { file }) => sum + file.size, 0) > MOST_BYTES) { fail("At most 64 MB are checked at once."); return; }
  $("said").textContent = "Checking …";
  const key = $("key").value.trim();
  const files = key ? chosen : [...chosen, { name: "the public key that this service shows", file: shown }];
  worker.postMessage({ asked, files, keys: key ? [key] : [] });
}

// Two files may have one name: those of two people who compare what they got.
function take(files) {
  const names = new Set(chosen.map(({ name }) => name));
  for (const file of files) {
    let name = file.name;
    for (let again = 2; names.has(name); again += 1) name = `${file.name} (${again})`;
    names.add(name);
    chosen.push({ name, file });
  }
  run();
}

function row({ word, what, detail }) {
  return element("tr", {},
    element("th", { scope: "row" }, element("bdi", {}, what)),
    element("td", {}, element("span", { className: TAGS[word] ?? "tag" }, word)),
    element("td", {}, element("bdi", {}, detail)));
}

function table(file, lines) {
  const head = element("tr", {}, ...["Statement", "Found", "Reason"].map((name) => element("th", { scope: "col" }, name)));
  const caption = element("caption", { className: "unseen" }, file);
  return element("table", { className: "stack checked" }, caption, element("thead", {}, head), element("tbody", {}, ...lines.map(row)));
}

// What holds or agrees is folded away, so that the rest of many files is seen at once.
function section(file, lines) {
  const sorted = lines.toSorted((a, b) => WORDS.indexOf(a.word) - WORDS.indexOf(b.word));
  const [open, folded] = [true, false].map((isOpen) => sorted.filter(({ word }) => (word in TAGS) === isOpen));
  const made = element("section", { className: "card" }, element("h2", {}, element("bdi", {}, file)));
  if (open.length) made.append(table(file, open));
  if (folded.length) made.append(element("details", {}, element("summary", {}, `${many(folded.length, "statement holds or agrees", "statements hold or agree")}`), table(file, folded)));
  return made;
}

function show(lines) {
  const count = Object.fromEntries(WORDS.map((word) => [word, lines.filter((line) => line.word === word).length]));
  const files = new Map();
  for (const line of lines) files.set(line.file, [...(files.get(line.file) ?? []), line]);
  const order = [...files].sort(([, a], [, b]) => b.some(isFalse) - a.some(isFalse));
  const isMissing = lines.some((line) => line.missing);
  $("said").textContent = `${many(chosen.length, "file")} checked.`;
  $("lines").replaceChildren(
    element("div", { className: count.false ? "notice bad" : "notice" },
      element("h2", {}, count.false ? many(count.false, "statement is false", "statements are false") : "Nothing that was checked is false"),
      element("p", {}, `${grouped(count.holds)} hold, ${grouped(count.agrees)} agree, ${grouped(count["not checked"])} are not checked.${isMissing ? " A text or a key is missing." : ""}`)),
    ...order.map(([file, each]) => section(file, each)));
}
const isFalse = (line) => line.word === "false";

onDrop($("drop"), take);
$("files").addEventListener("change", () => {
  take($("files").files);
  $("files").value = "";
});
$("key").addEventListener("change", run);
$("again").addEventListener("click", () => {
  chosen = [];
  $("said").textContent = "";
  run();
});
$("checking").hidden = false;
