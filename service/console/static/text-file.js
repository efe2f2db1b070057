// A file of text, such as a saved table of counts or proof.txt, is put into the field that is sent.

const MOST_BYTES = 2 ** 20;

for (const input of document.querySelectorAll("input[type=file][data-into]")) {
  const field = document.getElementById(input.dataset.into);
  const said = document.getElementById(`${input.id}-said`);
  input.closest("[hidden]").hidden = false;
  input.addEventListener("change", async () => {
    const [file] = input.files;
    if (!file) return;
    try {
      if (file.size > MOST_BYTES) throw new TypeError("too large");
      field.value = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
      said.textContent = `${file.name} is in the field below. Check it, then send it.`;
    } catch {
      said.textContent = "This is not a text of at most 1 MB. Open the table under New data set, and save it from there.";
    }
  });
}
