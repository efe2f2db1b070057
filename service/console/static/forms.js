// Before a form is sent: is the session still open, and is it this person's? If not, what was typed stays on the page.
// Without this file the service refuses the form, and shows nothing that was typed: somebody else may sign in next.

import { forget, kept } from "./kept.js";

const notice = (form, text, link) => {
  let place = form.querySelector(".session-notice");
  if (!place) {
    place = document.createElement("p");
    place.className = "notice bad session-notice";
    place.setAttribute("role", "alert");
    form.prepend(place);
  }
  place.replaceChildren(text);
  if (link) {
    const anchor = document.createElement("a");
    anchor.href = link;
    anchor.target = "_blank";
    anchor.rel = "noopener";
    anchor.textContent = "Sign in in another tab";
    place.append(" ", anchor, ", then press the button again. Nothing you typed is lost.");
  }
};

const sessionUrl = new URL("../session", import.meta.url);

const SLOW_MS = 300;

// A button says that its form is being worked on. A file that is saved leaves the page as it is.
const sayWorking = (form, event, button = event.submitter) => {
  if (!button || /\.\w+$/.test(new URL(button.formAction).pathname)) return;
  const { textContent } = button;
  setTimeout(() => { if (!event.defaultPrevented) button.textContent = "Working …"; }, SLOW_MS);
  addEventListener("pageshow", () => { button.textContent = textContent; });
};

const guard = (form) => {
  let sure = false;
  form.addEventListener("submit", async (event) => {
    if (sure) return sayWorking(form, event);
    if (event.defaultPrevented || form.method !== "post") return;
    event.preventDefault();
    const button = event.submitter;
    try {
      const answer = await fetch(sessionUrl, { headers: { Accept: "application/json" }, cache: "no-store" });
      const body = await answer.json();
      if (answer.status === 401) return notice(form, "Your session has ended.", body.sign_in);
      if (answer.ok && body.person !== form.querySelector("input[name=whose]").value) {
        return notice(form, "Somebody else is signed in now, so nothing was sent. Sign in as yourself in another tab, then press the button again.");
      }
      if (answer.ok) form.querySelector("input[name=form_token]").value = body.form_token;
    } catch {
      return notice(form, "The service can't be reached now. Nothing was sent; press the button again in a moment.");
    }
    sure = true;
    form.requestSubmit(button);
    sure = false;
  });
};

for (const form of document.querySelectorAll("main form[method=post]:not([action$='/sign-in']):not([action$='/enrol'])")) {
  guard(form);
}

for (const form of document.querySelectorAll("main form:not([method=post])")) form.addEventListener("submit", (event) => sayWorking(form, event));

// Links to a plan lead to the guess that was made in this tab.
for (const link of document.querySelectorAll("a[href$='/plan']")) {
  link.search = kept(link.pathname) ?? "";
}

// A refusal, or what was done, is read first.
document.querySelector("#refused, #done")?.focus();

// What was typed for a new data set is kept in this tab until it is registered, or the session has ended. Its table goes
// to the file of the proof from this page, and is kept nowhere else.
if (new URLSearchParams(location.search).get("done") === "registered") {
  const table = kept("new-data-fields")?.kept.find(([name]) => name === "table")?.[1];
  const proof = document.querySelector("form[action$='/proof.txt']");
  if (table && proof) {
    proof.append(Object.assign(document.createElement("input"), { type: "hidden", name: "table", value: table }));
    for (const each of [proof.querySelector("button"), document.querySelector("a[href='#proof']")]) each.textContent = "Save proof and table";
  }
  for (const name of ["new-data", "new-data-fields", "new-data-left-out"]) forget(name);
}

// A page that somebody else left open is closed once it is shown again, and so is a page in Back after a sign-out.
const { person } = document.documentElement.dataset;
async function closeIfLeft(isFromBack) {
  const answer = await fetch(sessionUrl, { headers: { Accept: "application/json" }, cache: "no-store" });
  const isOther = answer.ok ? (await answer.json()).person !== person : isFromBack && answer.status === 401;
  if (isOther) location.replace(new URL("../", import.meta.url));
}
if (person) {
  document.addEventListener("visibilitychange", () => document.hidden || closeIfLeft(false).catch(() => {}));
  window.addEventListener("pageshow", ({ persisted }) => persisted && closeIfLeft(true).catch(() => {}));
}

// A click marks the whole of a text that is to be copied. Where the browser can copy by itself, a button does it.
for (const input of document.querySelectorAll("[data-copy]")) {
  input.addEventListener("focus", () => input.select());
  if (!navigator.clipboard) continue;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  const label = document.querySelector(`label[for="${input.id}"]`);
  if (label) button.setAttribute("aria-label", `Copy: ${label.textContent}`);
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(input.value);
      button.textContent = "Copied";
    } catch {
      input.focus();
    }
  });
  input.after(button);
}

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}

// One menu is open at a time. Escape and a click beside it close it.
const openMenus = () => document.querySelectorAll("details.menu[open]");
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of openMenus()) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});
document.addEventListener("click", ({ target }) => {
  for (const menu of openMenus()) if (!menu.contains(target)) menu.open = false;
});
