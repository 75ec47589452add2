/** A process that redacts a long text and prints how much its memory grew at most, in bytes: `secrets-memory.ts TEXT MEGABYTES`. */
import { redactLong } from "../src/ground/redaction/long-text.ts";
import { redactFirst } from "./first-redaction.ts";
import { TEXTS } from "./secrets-throughput.ts";

const [name = "", megabytes = "1"] = process.argv.slice(2);
redactFirst();
const once = Buffer.from(TEXTS[name]?.() ?? "");
const text = Buffer.concat(Array.from({ length: Number(megabytes) }, () => once)).toString(
  "latin1",
);
const before = process.resourceUsage().maxRSS;
redactLong(text);
console.log((process.resourceUsage().maxRSS - before) * 1024);
