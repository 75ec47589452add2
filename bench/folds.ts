/**
 * What folds into one item of a bundle, for a reader to judge: `npm run bench:folds [-- --data DIR]`.
 *
 * How many items are left of twenty wordings of one statement is counted for each of the twelve in `test/data/wordings.txt`.
 * DIR is that of `npm run bench:sessions`. All messages of the recorded sessions, each text once, are folded as if one query had found them, which is
 * harsher than any bundle. Printed are up to 100 pairs, drawn at random: what is shown, and what is left out for it. A fold is false where what
 * is left out says something that what is shown does not.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { foldRepeats } from "../src/sessions/bundle/claims/repeats.ts";
import { pick, seeded } from "../test/support/random.ts";
import { readSessions } from "./coding-sessions.ts";
import { print, type Row } from "./table.ts";

const MOST = 100;
const SHOWN = 220;

const { values } = parseArgs({ options: { data: { type: "string" } } });
const wordings = readFileSync(new URL("../test/data/wordings.txt", import.meta.url), "utf8");
const parts = wordings.trim().split(/^# /m).slice(1);
const rows = parts.map((part): Row => {
  const [name = "", ...texts] = part.trim().split("\n");
  return { statement: name, wordings: texts.length, items: folded(texts).length };
});
print([{ title: "Wordings of one statement", rows }], false);
if (values.data === undefined) {
  console.log("\nNo recorded sessions: npm run bench:folds -- --data DIR");
  process.exit();
}
const events = readSessions(values.data).flatMap((each) => each.events);
const texts = events.flatMap(({ kind, content }) =>
  kind === "message" && content.text ? content.text.trim() : [],
);
const said = [...new Set(texts)];
const told = folded(said);
const pairs = told.flatMap(({ item, again }) => again.map((other) => [item, other] as const));
const flat = (text: string) => text.replaceAll(/\s+/g, " ").slice(0, SHOWN);
console.log(`${said.length} messages; ${pairs.length} fold. The pairs:`);
const random = seeded("folds");
const left = [...pairs];
for (let at = 1; at <= MOST && left.length > 0; at++) {
  const [shown, other] = left.splice(left.indexOf(pick(random, left)), 1)[0] ?? [];
  console.log(`${at}\n  shown     ${flat(shown ?? "")}\n  left out  ${flat(other ?? "")}`);
}

function folded(texts: readonly string[]) {
  return foldRepeats(
    texts,
    (text) => text,
    () => "message",
  );
}
