/** A session log of any size for the bench of the index, and what is asked of it; drawn from a seed. */
import type { EventDraft } from "../../src/sessions/kinds/event.ts";
import { seeded } from "../../test/support/random.ts";

/** Characters of a text: the median of 439 sessions; one in ten is ten times as long. */
const MEDIAN_LENGTH = 456;
const LONGEST = 12_000;
/** Different words, of which a few are in most texts, as in any language. */
const WORDS = 300_000;
const PER_DAY = 900;
const PER_SESSION = 120;
const START = Date.parse("2024-01-01T08:00:00.000Z");
const SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zu tion ing er".split(
  " ",
);

export function corpusEvent(number: number): EventDraft {
  const random = seeded(`event ${number}`);
  const normal = Math.sqrt(-2 * Math.log(random() + 1e-9)) * Math.cos(2 * Math.PI * random());
  const length = Math.min(LONGEST, MEDIAN_LENGTH * Math.exp(1.4 * normal));
  const day = Math.floor(number / PER_DAY);
  return {
    ts: new Date(START + day * 86_400_000 + (number % PER_DAY) * 30_000).toISOString(),
    session: `0b9a7c3e-1234-4a4b-9c9d-${String(Math.floor(number / PER_SESSION)).padStart(12, "0")}`,
    agent: "claude-code",
    actor: { type: "tool", id: "tool.Bash" },
    kind: "tool_result",
    content: { tool: "Bash", text: words(random, length) },
    origin: `claude-code/toolu_${number}`,
    place: { branch: "main", cwd: "/home/jo/shop" },
  };
}

/** Some words of a text that may be there. */
export function corpusQuery(number: number): string {
  const random = seeded(`query ${number}`);
  return words(random, 20 + random() * 50);
}

function words(random: () => number, length: number): string {
  let text = "";
  while (text.length < length) {
    const draw = random();
    const one = wordOf(Math.floor(WORDS ** random()));
    if (draw < 0.04) {
      text += `src/${one}/${wordOf(Math.floor(WORDS ** random()))}.ts:${Math.floor(draw * 10_000)} `;
    } else {
      text += draw > 0.94 ? `${one}.\n` : `${one} `;
    }
  }
  return text;
}

function wordOf(rank: number): string {
  let text = "";
  for (let rest = rank + 1; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    text += SYLLABLES[rest % SYLLABLES.length];
  }
  return text;
}
