// What a page keeps in this tab of the browser belongs to one session. A page of another session deletes it, and so does
// the sign-in page.

const { session } = document.documentElement.dataset;
const OURS = /^new-data|\/plan$/;

export const keep = (name, value) => sessionStorage.setItem(name, JSON.stringify({ session, value }));
export const forget = (name) => sessionStorage.removeItem(name);

// Returns null if nothing is kept.
export function kept(name) {
  try {
    const found = JSON.parse(sessionStorage.getItem(name));
    return session && found.session === session ? found.value : null;
  } catch {
    return null;
  }
}

for (const name of Object.keys(sessionStorage)) if (OURS.test(name) && kept(name) === null) forget(name);
