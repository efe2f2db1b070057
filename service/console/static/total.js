// The new total of a budget: what it means follows what is typed.

import { meaningOf, number } from "./protection.js";

const field = document.querySelector("#total_epsilon");
const meaning = document.querySelector("#total-meaning");
const weak = document.querySelector("#weak-total");

function say() {
  meaning.textContent = meaningOf(number(field), Number(meaning.dataset.times));
  weak.hidden = !(number(field) > Number(weak.dataset.above));
}

field.addEventListener("input", say);
say();
