/**
 * Which decisions are marked as contradicting each other, for a reader to judge: `npm run bench:opposed [-- --data DIR]`.
 *
 * Of the labelled pairs in `test/data/decision-pairs.tsv` it counts, by half and kind, those that oppose each other and are marked, with and without what
 * the older one did not choose, and the compatible ones that are. The half "held" was written before the rule, and the "fifth" by a hand that
 * did not know it; nothing was changed to fit these.
 * All statements of the file are then one log: marked pairs that nobody labelled are printed. So are those among the decisions of recorded sessions,
 * where DIR is that of `npm run bench:sessions`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { opposedAmong } from "../src/sessions/projections/opposed.ts";
import { decidedInTurn, readPairs } from "../test/support/decision-pairs.ts";
import { print, type Row } from "./table.ts";

const { values } = parseArgs({ options: { data: { type: "string" } } });
const pairs = readPairs();
const rows = ["tune", "held", "third", "fourth", "fifth"].flatMap((half) =>
  ["opposed", "compatible"].flatMap((label) => {
    const of = pairs.filter((pair) => pair.half === half && pair.label === label);
    return [...new Set(of.map(({ kind }) => kind)), "all"].map((kind): Row => {
      const some = of.filter((pair) => kind === "all" || pair.kind === kind);
      const marked = (isTold: boolean) =>
        some.filter(({ older, newer, notChosen }) => {
          const alternatives = isTold ? notChosen : [];
          return (
            opposedAmong(decidedInTurn({ decision: older, alternatives }, { decision: newer }))
              .length > 0
          );
        }).length;
      return {
        half,
        label,
        kind,
        pairs: some.length,
        marked: marked(false),
        "with alternatives": marked(true),
      };
    });
  }),
);
print([{ title: "Labelled pairs", rows }], false);
const known = new Set(
  pairs.flatMap(({ label, older, newer }) => (label === "opposed" ? `${older}\n${newer}` : [])),
);
tell("all statements as one log", [
  ...new Set(pairs.flatMap(({ older, newer }) => [older, newer])),
]);
if (values.data === undefined)
  console.log("No recorded sessions: npm run bench:opposed -- --data DIR");
else {
  const file = JSON.parse(
    readFileSync(join(values.data, "session-questions", "decisions.json"), "utf8"),
  );
  const asked: readonly { question: string; answer?: string }[] = file.asked_or_planned;
  const said: readonly { quote: string; decision: string }[] = file.in_conversation;
  tell("recorded sessions", [
    ...asked.flatMap(({ question, answer }) => [question.replace(/^plan: /, ""), answer ?? ""]),
    ...said.flatMap(({ quote, decision }) => [quote, decision]),
  ]);
}

function tell(of: string, texts: readonly string[]): void {
  const marked = opposedAmong(decidedInTurn(...texts.map((decision) => ({ decision }))));
  const unknown = marked.filter(({ says, against }) => !known.has(`${says}\n${against}`));
  console.log(
    `${of}: ${texts.length} statements, ${marked.length} pairs marked, ${unknown.length} of them not labelled`,
  );
  for (const { says, against } of unknown) console.log(`  older  ${says}\n  newer  ${against}`);
}
