// The file that is being registered, how it is written, what was found in it, and the worker that reads it.

export const state = { file: null, found: null, written: null, counted: null, isReading: false, isPasted: false, people: null, totals: { values: [], row: -1 }, asked: 0, onTotals: null };

// A worker is code: where the browser asks for it, its address comes from a policy that lets nothing else through.
const workerUrl = new URL("./rows-worker.js", import.meta.url).href;
const policy = window.trustedTypes?.createPolicy("console-worker", {
  createScriptURL: (url) => {
    if (url !== workerUrl) throw new TypeError("no other code is run");
    return url;
  },
});
export const worker = new Worker(policy ? policy.createScriptURL(workerUrl) : workerUrl, { type: "module" });
