// The file that is being registered, how it is written, what was found in it, and the worker that reads it.

import { startWorker } from "./module-worker.js";

export const state = { file: null, found: null, written: null, counted: null, isReading: false, isPasted: false, people: null, totals: { values: [], row: -1, missing: [] }, asked: 0, onTotals: null };

export const worker = startWorker("rows-worker.js");
