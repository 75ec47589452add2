/** Conversations in the LoCoMo file format, with questions whose evidence is known. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Conversation {
  readonly turns: readonly Turn[];
  readonly questions: readonly { readonly text: string; readonly evidence: ReadonlySet<string> }[];
}

interface Turn {
  /** As questions name it. */
  readonly id: string;
  readonly session: string;
  /** With its date and speaker. */
  readonly text: string;
}

interface Said {
  readonly speaker: string;
  readonly dia_id: string;
  readonly text: string;
}

interface Sample {
  readonly conversation: Readonly<Record<string, string | readonly Said[]>>;
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
    turns: Object.entries(conversation).flatMap(([session, turns]) => {
      const date = conversation[`${session}_date_time`];
      if (typeof turns === "string") {
        return [];
      }
      return turns.map(({ dia_id, speaker, text }) => ({
        id: dia_id,
        session,
        text: `${date} ${speaker}: ${text}`,
      }));
    }),
    questions: qa
      .filter(({ category }) => category !== ADVERSARIAL)
      // Some entries hold several turns in one string, a few none.
      .map(({ question, evidence }) => ({
        text: question,
        evidence: new Set(evidence.join(" ").match(/D\d+:\d+/g)),
      }))
      .filter(({ evidence }) => evidence.size > 0),
  }));
}
