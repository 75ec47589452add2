/** `npm run scenarios [-- NAME]`: all stories, or those with NAME in their file name. */
import { readdirSync } from "node:fs";
import { startVitest } from "vitest/node";

const [name] = process.argv.slice(2);
// A filter that matches nothing would pass: every test is skipped.
if (name && !readdirSync("scenarios").some((file) => file.includes(name))) {
  console.error(`No file in scenarios/ has "${name}" in its name.`);
  process.exit(1);
}
await startVitest("test", [], { project: "scenarios", run: true, ...(name && { testNamePattern: name }) });
