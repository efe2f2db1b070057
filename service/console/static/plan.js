// The plan: the slider chooses a point of the table, and the text follows. The link leads to the quote for that point.

import { keep } from "./kept.js";

if (location.search) keep(location.pathname, location.search);

const choice = document.querySelector("#choice");

if (choice) {
  const kind = document.querySelector("#chosen-kind");
  const step = document.querySelector("#chosen-step");
  const text = document.querySelector("#chosen-text");
  const quote = document.querySelector("#chosen-quote");

  const title = document.querySelector("#chosen-title");
  const ends = document.querySelector("#chosen-ends");
  const often = document.querySelector("#chosen-often");
  const rows = [...document.querySelectorAll("#steps tbody tr")];
  const columns = [...document.querySelectorAll("#every [data-step]")];
  const linkAt = () => rows[Number(step.value)]?.querySelector(`a[data-kind="${kind.value}"]`);

  const follow = () => {
    const link = linkAt();
    quote.hidden = !link;
    for (const cell of columns) cell.hidden = cell.dataset.step !== step.value;
    if (!link) {
      text.textContent = "This mechanism can't run at this charge.";
      return;
    }
    const { charge, price, odds, shown } = link.dataset;
    const { unit, widthUnit, left, symbol } = choice.dataset;
    const most = left ? ` of ${left} that your next release may cost` : "";
    title.textContent = `With ${symbol}\u00a0${charge}: ${shown} ${widthUnit}`.trim();
    ends.textContent = `${link.dataset.ends} ${unit}`.trim();
    often.textContent = link.dataset.often;
    text.textContent = `It costs ${price}${most}, and a reader can raise their odds of a fact about a person at most ${odds} times.`;
    step.setAttribute("aria-valuetext", `${symbol} ${charge}, ${shown} ${widthUnit}`.trim());
    quote.href = link.href;
  };

  step.addEventListener("input", follow);
  kind.addEventListener("change", follow);
  choice.addEventListener("submit", (event) => event.preventDefault());
  kind.value = choice.dataset.kind;
  choice.hidden = false;
  follow();
}
