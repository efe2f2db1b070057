// What the modules of pages with files share: elements, words for numbers, and an area for dropped files.

export const $ = (id) => document.getElementById(id);
export const grouped = (count) => count.toLocaleString("en").replaceAll(",", "\u202f");
export const many = (count, one, more = `${one}s`) => `${grouped(count)} ${count === 1 ? one : more}`;
export const MOST_SHOWN = 300;
export const MOST_SAID = 12;
export const MOST_NAMED = 6;

export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

// Passes files that are dropped on an area to `take`.
export function onDrop(area, take) {
  for (const name of ["dragenter", "dragover"]) {
    area.addEventListener(name, (event) => {
      event.preventDefault();
      area.classList.add("over");
    });
  }
  for (const name of ["dragleave", "drop"]) area.addEventListener(name, () => area.classList.remove("over"));
  area.addEventListener("drop", (event) => {
    event.preventDefault();
    take(event.dataTransfer.files);
  });
}
