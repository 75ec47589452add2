/**
 * How well the session log finds: `npm run bench:recall -- --data DIR [--paragraphs FILE.json] [--json]`.
 *
 * In DIR: `locomo-dev.json` (snap-research/locomo, CC BY-NC 4.0), and sessions of coding agents, one event a line, as
 * `coding-sessions-*.jsonl.gz` (see `coding-sessions.ts`). FILE.json is `{"paragraphs": [text], "questions": [{"question": text,
 * "paragraph": index}]}`, for example made of KorQuAD or CMRC2018. None of them is part of this project.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { Event } from "../../src/sessions/kinds/event.ts";
import { readSessions } from "../support/coding-sessions.ts";
import { dataFolder } from "../support/data-folder.ts";
import { readConversations } from "../support/locomo.ts";
import { Quality, type Question } from "../support/quality.ts";
import { recordedEvent } from "../support/recorded-event.ts";
import { print, type Row, type Section } from "../support/table.ts";
import { measureNextFiles } from "./next-files.ts";
import { RECORD_ENGINES } from "./record-engines.ts";

/** Events with questions. The `origin` of an event that answers a question is its id in the data. */
interface Asked {
  readonly events: readonly Event[];
  readonly questions: readonly Question[];
}

const options = {
  data: { type: "string" },
  paragraphs: { type: "string" },
  json: { type: "boolean", default: false },
} as const;
const { values } = parseArgs({ options });
/** The SHA-256 of the five conversations that docs/evidence.md measured. */
const LOCOMO_SHA256 = "90336c18ef4fe35a16f0800f97c186813605b64b4bb1cba78210ffe5c46d2752";
const LOCOMO =
  "locomo-dev.json (conversations from data/locomo10.json of github.com/snap-research/locomo; " +
  `docs/evidence.md measured five with SHA-256 ${LOCOMO_SHA256})`;
const data = dataFolder(values.data, "bench:recall", LOCOMO);

const sections: Section[] = [
  {
    title: "Conversations: evidence found, in %. Goals: R@10 71.5, in 8,000 tokens 92",
    rows: measure(conversations(data)),
  },
];
if (values.paragraphs !== undefined) {
  const rows = measure([paragraphs(values.paragraphs)]);
  sections.push({ title: "Paragraphs: found, in %. Goals for R@10: Korean 98, Chinese 99", rows });
}
for (const sessions of readSessions(data)) {
  const title = `${sessions.name}: known files touched next, R@10. Goals: at each moment the best of the others, 50 / 72 / 77`;
  sections.push({ title, rows: measureNextFiles(sessions) });
}
print(sections, values.json);

function measure(all: readonly Asked[]): Row[] {
  return Object.entries(RECORD_ENGINES).map(([engine, prepare]) => {
    const quality = new Quality();
    for (const { events, questions } of all) {
      const costs = new Map(
        events.map(({ origin, content }) => [String(origin), countTokens(String(content.text))]),
      );
      quality.add(questions, prepare(events), costs);
    }
    return { engine, ...quality.means() };
  });
}

function conversations(folder: string): Asked[] {
  return readConversations(folder).map(({ turns, questions }) => {
    return {
      events: turns.map(({ id, session, text }, index) => said(id, session, text, index)),
      questions,
    };
  });
}

function paragraphs(path: string): Asked {
  const file = JSON.parse(readFileSync(path, "utf8")) as {
    readonly paragraphs: readonly string[];
    readonly questions: readonly { readonly question: string; readonly paragraph: number }[];
  };
  return {
    events: file.paragraphs.map((text, index) => said(String(index), String(index), text, index)),
    questions: file.questions.map(({ question, paragraph }) => {
      return { text: question, evidence: new Set([String(paragraph)]) };
    }),
  };
}

/** A message, a second after the one before. */
function said(origin: string, session: string, text: string, index: number): Event {
  const ts = new Date(Date.UTC(2026, 0, 1) + 1000 * index).toISOString();
  return recordedEvent({ session, ts, origin, actor: "human", kind: "message", content: { text } });
}
