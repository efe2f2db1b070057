// The plan: the slider chooses a point of the table. While it is dragged, only the text follows; the picture is asked
// for again when it rests, and the quote when the link is followed.

if (location.search) sessionStorage.setItem(location.pathname, location.search);

const choice = document.querySelector("#choice");

if (choice) {
  const kind = document.querySelector("#chosen-kind");
  const step = document.querySelector("#chosen-step");
  const text = document.querySelector("#chosen-text");
  const quote = document.querySelector("#chosen-quote");
  const pictures = [
    [document.querySelector("#curves"), "src"],
    [document.querySelector("#curves-narrow"), "srcset"],
  ].map(([element, name]) => ({ element, name, plain: element.getAttribute(name) }));

  const rows = [...document.querySelectorAll("#steps tbody tr")];
  const linkAt = () => rows[Number(step.value)]?.querySelector(`a[data-kind="${kind.value}"]`);

  const follow = () => {
    const link = linkAt();
    quote.hidden = !link;
    if (!link) {
      text.textContent = "This mechanism can't run at this ε.";
      return;
    }
    const { epsilon, price, odds, ends } = link.dataset;
    const { unit, left } = choice.dataset;
    const most = left ? ` of ${left} that your next release may cost` : "";
    text.textContent = `ε = ${epsilon}: about ${ends} ${unit} (${link.textContent}). It costs ${price}${most}, and a reader can raise their odds of a fact about a person at most ${odds} times.`;
    step.setAttribute("aria-valuetext", `ε ${epsilon}, ${link.textContent} ${unit}`);
    quote.href = link.href;
  };

  const redraw = () => {
    const link = linkAt();
    if (!link) return;
    const chosen = encodeURIComponent(`${kind.value}~${link.dataset.epsilon}`);
    for (const { element, name, plain } of pictures) element.setAttribute(name, `${plain}&chosen=${chosen}`);
  };

  step.addEventListener("input", follow);
  step.addEventListener("change", redraw);
  kind.addEventListener("change", () => {
    follow();
    redraw();
  });
  choice.addEventListener("submit", (event) => event.preventDefault());
  kind.value = choice.dataset.kind;
  choice.hidden = false;
  follow();
  redraw();
}
