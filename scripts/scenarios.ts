/** `npm run scenarios [-- NAME]`: all stories, or those with NAME in their name. */
import { startVitest } from "vitest/node";

const [name] = process.argv.slice(2);
await startVitest("test", [], { project: "scenarios", run: true, ...(name && { testNamePattern: name }) });
