// A release: the table of categories is searched while somebody types, and the picture becomes a PNG in this browser.

const form = document.querySelector("form[data-find=here]");
const table = document.querySelector("#categories");

if (form && table) {
  const rows = [...table.tBodies[0].rows];
  const first = rows.map((row) => row.hidden);
  const search = form.elements.namedItem("find");
  const words = rows.map((row) => row.cells[0].textContent.toLocaleLowerCase());
  search.addEventListener("input", () => {
    const wanted = search.value.trim().toLocaleLowerCase();
    rows.forEach((row, at) => {
      row.hidden = wanted ? !words[at].includes(wanted) : first[at];
    });
    const shown = table.querySelector("[data-first]");
    if (shown) shown.hidden = Boolean(wanted);
  });
  form.elements.namedItem("sort").addEventListener("change", () => form.requestSubmit());
  table.querySelector("[data-all]")?.addEventListener("click", (event) => {
    event.preventDefault();
    for (const row of rows) row.hidden = false;
    first.fill(false);
    event.target.remove();
    table.querySelector("[data-first]")?.remove();
  });
}

const SCALE = 2;

async function save(link) {
  const image = new Image();
  image.src = link.href;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = SCALE * image.naturalWidth;
  canvas.height = SCALE * image.naturalHeight;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  const file = document.createElement("a");
  file.href = URL.createObjectURL(blob);
  file.download = "picture.png";
  file.click();
  URL.revokeObjectURL(file.href);
}

for (const link of document.querySelectorAll("a[data-png]")) {
  link.closest("li").hidden = false;
  link.addEventListener("click", (event) => {
    event.preventDefault();
    save(link).catch(() => location.assign(link.href));
  });
}
