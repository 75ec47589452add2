/** Sessions as agents have them, in three languages, drawn from a seed: for tests and benches of finding something in a record. */
import type { EventDraft } from "../../src/sessions/kinds/event.ts";
import { pick, type Random } from "./random.ts";
import { type Language, TOPICS } from "./vocabulary.ts";

const MINUTE = 60_000;
const FILES = [
  "src/orders/total.ts",
  "src/http/retryCount.ts",
  "lib/parse_header.py",
  "docs/카드.md",
  "test/cache.test.ts",
];
const FILLERS =
  "then run it again and see whether the test still fails because of that change in main".split(
    " ",
  );

/** Words to search for, in any of the languages. */
export function randomQuery(random: Random): string {
  return Array.from({ length: 1 + Math.floor(random() * 5) }, () => randomWords(random)).join(" ");
}

/** An event of one of a few sessions, at a time of a few days. */
export function randomEvent(
  random: Random,
  number: number,
  { from, days }: { from: number; days: number },
): EventDraft {
  const ts = new Date(from + Math.floor(random() * days * 24 * 60) * MINUTE).toISOString();
  const text = Array.from({ length: 1 + Math.floor(random() * 40) }, () =>
    randomWords(random),
  ).join(" ");
  const said = {
    ts,
    session: `s${Math.floor(random() * 6)}`,
    agent: "claude-code",
    origin: `line-${number}`,
  };
  if (random() < 0.5) {
    return { ...said, actor: { type: "human", id: "user" }, kind: "message", content: { text } };
  }
  const output = random() < 0.1 ? `${text}\n`.repeat(20) : text;
  return {
    ...said,
    actor: { type: "tool", id: "tool.Bash" },
    kind: "tool_result",
    content: { tool: "Bash", text: output, path: pick(random, FILES) },
  };
}

function randomWords(random: Random): string {
  const draw = random();
  if (draw < 0.1) {
    return pick(random, FILES);
  }
  if (draw < 0.4) {
    return pick(random, FILLERS);
  }
  const language = pick(random, ["en", "en", "ko", "zh"] as Language[]);
  const phrases = pick(random, Object.values(TOPICS))[language].split("|");
  return (pick(random, phrases).split("=>")[0] as string).trim();
}
