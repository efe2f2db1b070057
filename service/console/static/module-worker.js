// A worker is code: where the browser asks for it, its address comes from a policy that lets nothing else through.

export function startWorker(name) {
  const address = new URL(`./${name}`, import.meta.url).href;
  const policy = window.trustedTypes?.createPolicy("console-worker", {
    createScriptURL: (url) => {
      if (url !== address) throw new TypeError("no other code is run");
      return url;
    },
  });
  return new Worker(policy ? policy.createScriptURL(address) : address, { type: "module" });
}
