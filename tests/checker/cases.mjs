// Reads a list of cases {files: {name: text}, keys: [text]} as JSON, and writes the lines of the checker for each.
import { readFileSync } from 'node:fs';
import { check } from '../../checker/verify.mjs';

const cases = JSON.parse(readFileSync(0, 'utf8')), answers = [], encoder = new TextEncoder();
for (const { files, keys } of cases) {
  answers.push(await check(Object.entries(files).map(([name, text]) => ({ name, bytes: encoder.encode(text) })), keys));
}
process.stdout.write(JSON.stringify(answers));
