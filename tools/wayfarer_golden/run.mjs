// Runs wayfarer_golden as wasm32 and prints the report that it leaves in its memory.
// Usage: node run.mjs wayfarer_golden.wasm

import { readFileSync } from "node:fs";

const file = process.argv[2];
if (file === undefined) {
  console.error("usage: node run.mjs wayfarer_golden.wasm");
  process.exit(2);
}
const { instance } = await WebAssembly.instantiate(readFileSync(file), {});
const { main, memory } = instance.exports;
main(0, 0);
const text = Buffer.from(memory.buffer).toString("latin1");
const report = text.match(/WAYFARER-GOLDEN:\n((?:\w+ [0-9a-f]{16}\n)+)END/);
if (report === null) {
  console.error(`${file}: ran, but left no report in its memory`);
  process.exit(1);
}
process.stdout.write(report[1]);
