// Four steps in one document: one is shown at a time, and each has an address.

const form = document.getElementById("registration");
const sections = [...form.querySelectorAll("section[data-step]")];
const links = [...document.querySelectorAll("#steps a")];
const FIRST = 1;
const LAST = sections.length;
let current = 0;

const inAddress = () => Number(new URLSearchParams(location.search).get("step"));
const addressOf = (step) => `${form.dataset.path}?step=${step}`;
const headOf = (step) => sections[step - 1].querySelector("h2");

function show(step, { focus = true } = {}) {
  current = Math.min(LAST, Math.max(FIRST, step || FIRST));
  sections.forEach((section, at) => { section.hidden = at + 1 !== current; });
  links.forEach((link, at) => {
    const item = link.closest("li");
    item.className = at + 1 < current ? "done" : "";
    if (at + 1 === current) item.setAttribute("aria-current", "step");
    else item.removeAttribute("aria-current");
  });
  document.title = `${headOf(current).textContent} – New data set – Private Posterior`;
  if (!focus) return;
  headOf(current).tabIndex = -1;
  headOf(current).focus({ preventScroll: true });
  scrollTo(0, 0);
}

// Shows a step, and puts its address into the history.
export function go(step) {
  if (step === current) return;
  history.pushState({ step }, "", addressOf(step));
  show(step);
}

// The step of a field, and the field itself.
function goTo(field) {
  const section = field.closest("section[data-step]");
  if (section?.hidden) go(sections.indexOf(section) + 1);
  for (let outer = field.closest("details"); outer; outer = outer.parentElement.closest("details")) outer.open = true;
}

// Whether one of the fields has no valid value. The first of them is shown and named.
function isWrong(fields) {
  const wrong = [...fields].find((each) => each.willValidate && !each.checkValidity());
  if (!wrong) return false;
  goTo(wrong);
  wrong.reportValidity();
  return true;
}

// `next(step)` is asked before the step after it is shown, and shows it itself if it returns false.
export function begin(next) {
  document.getElementById("steps").hidden = false;
  for (const each of document.querySelectorAll("[data-next]")) each.hidden = false;
  const asked = form.dataset.refused ? Number(form.dataset.step) : inAddress() || Number(form.dataset.step);
  history.replaceState({ step: asked }, "", addressOf(asked || FIRST));
  show(asked, { focus: false });
  addEventListener("popstate", () => show(inAddress()));
  const forward = (step) => {
    if (step > current && isWrong(sections[current - 1].querySelectorAll("input, select, textarea"))) return;
    if (step <= current || next(current, step)) go(step);
  };
  document.addEventListener("click", (event) => {
    const to = event.target.closest("[data-to]");
    if (to) {
      event.preventDefault();
      forward(Number(to.dataset.to));
      return;
    }
    const link = event.target.closest("#refused a[href^='#']");
    const field = link && document.getElementById(link.getAttribute("href").slice(1));
    if (!field) return;
    event.preventDefault();
    goTo(field);
    field.focus();
  });
  form.noValidate = true;
  form.addEventListener("submit", (event) => {
    if (event.submitter?.id === "save-table") return;
    if (current < LAST) {
      event.preventDefault();
      forward(current + 1);
      return;
    }
    if (isWrong(form.elements)) event.preventDefault();
  }, { capture: true });
}
