// Runs the checker on the files of the page. It asks for nothing and sends nothing.

import { check, Refused } from "../checker/verify.mjs";

addEventListener("message", async ({ data: { asked, files, keys } }) => {
  try {
    const read = files.map(async ({ name, file }) => ({ name, bytes: new Uint8Array(await file.arrayBuffer()) }));
    postMessage({ asked, lines: await check(await Promise.all(read), keys) });
  } catch (error) {
    const unknown = error.name === "NotSupportedError" ? "This browser does not know Ed25519 signatures: use a newer one." : "A file could not be read. Choose the files again.";
    postMessage({ asked, text: error instanceof Refused ? `Public key: ${error.message}.` : unknown });
  }
});
