// What the modules of the page for a new data set share: its elements, and words for numbers.

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
