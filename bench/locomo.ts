/** Conversations in the LoCoMo file format, read as memories with questions whose evidence is known. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Lesson } from "../src/lessons/format/record.ts";

export interface Conversation {
  /** One record a turn, with its speaker and date. */
  readonly lessons: readonly Lesson[];
  readonly questions: readonly { readonly text: string; readonly evidence: ReadonlySet<string> }[];
}

interface Turn {
  readonly speaker: string;
  readonly dia_id: string;
  readonly text: string;
}

interface Sample {
  readonly conversation: Readonly<Record<string, string | readonly Turn[]>>;
  readonly qa: readonly {
    readonly question: string;
    readonly evidence: readonly string[];
    readonly category: number;
  }[];
}

/** Category 5 asks for what was never said. */
const ADVERSARIAL = 5;

/** Reads `locomo-dev.json` in a folder. Questions that name no evidence are left out. */
export function readConversations(folder: string): Conversation[] {
  const samples = JSON.parse(readFileSync(join(folder, "locomo-dev.json"), "utf8")) as Sample[];
  return samples.map(({ conversation, qa }) => ({
    lessons: Object.entries(conversation).flatMap(([session, turns]) =>
      typeof turns === "string" ? [] : turns.map((turn) => record(turn, String(conversation[`${session}_date_time`]))),
    ),
    questions: qa
      .filter(({ category }) => category !== ADVERSARIAL)
      // Some entries hold several turns in one string, a few none.
      .map(({ question, evidence }) => ({ text: question, evidence: new Set(evidence.join(" ").match(/D\d+:\d+/g)) }))
      .filter(({ evidence }) => evidence.size > 0),
  }));
}

function record({ speaker, dia_id, text }: Turn, date: string): Lesson {
  const lesson = `${date} ${speaker}: ${text}`;
  return { id: dia_id, type: "log", topic: "", missing_context: "", lesson, meta: { created: "2023-01-01T00:00:00Z" } };
}
