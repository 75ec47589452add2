/** Candidates with their evidence, and what a person decides about them; as `review` does. */
import { SentinelError } from "../../ground/core/errors.ts";
import { redactionNotes } from "../../lessons/answers/redaction-notes.ts";
import { decideNever, readNever } from "../../sessions/candidates/never.ts";
import { aroundMatch } from "../../sessions/terminal/around-match.ts";
import { candidatesIn, keepCandidate, lessonOf } from "../review/candidates.ts";
import { type Done, textIn } from "./lesson-actions.ts";
import { textsOf } from "./lessons.ts";
import type { SessionLog } from "./session-log.ts";
import type { Action, ViewerContext } from "./viewer.ts";

export type InboxRow = Awaited<ReturnType<typeof inbox>>[number];

const OUTPUT = { mostLines: 8, width: 200 };

/** Each with what it would be kept as. */
export async function inbox({ lessons }: ViewerContext, log: SessionLog) {
  const { folder, store } = await log.open();
  const [all, never] = await Promise.all([candidatesIn(lessons, store), readNever(folder)]);
  return all
    .filter(({ id }) => !never.has(id))
    .map((candidate) => {
      const { id, times, sessions, latest, worked = "" } = candidate;
      const { event, command, line } = latest;
      const moment = { at: event.ts, session: event.session, event: event.id };
      const output = aroundMatch(event.content.excerpt_text ?? "", line, OUTPUT);
      const texts = textsOf({ ...lessonOf(candidate), id, meta: { created: "" } });
      return { id, times, sessions, ...moment, command, worked, output, texts };
    });
}

export function inboxActions({ lessons, readPrivacy }: ViewerContext, log: SessionLog): Record<string, Action> {
  return {
    keep: async (body): Promise<Done> => {
      const id = textIn(body, "id");
      const candidate = (await candidatesIn(lessons, (await log.open()).store)).find((one) => one.id === id);
      if (!candidate)
        throw new SentinelError("not_found", "A lesson about this is there already.", "Load the page again.");
      const worded = { lesson: textIn(body, "lesson") ?? "" };
      const { line, redactions } = await keepCandidate({ lessons, readPrivacy }, candidate, worded);
      const kept = line.version.id;
      const said = ["Kept as a lesson.", ...redactionNotes(redactions)].join(" ");
      return { said, id: kept, undo: { call: "forget", body: { id: kept, reason: "undone in review" } } };
    },
    never: async (body): Promise<Done> => {
      const [id, again] = [textIn(body, "id") ?? "", body.again === true];
      decideNever((await log.open()).folder, id, { again });
      if (again) return { said: "Offered again." };
      return { said: "Never offered again.", undo: { call: "never", body: { id, again: true } } };
    },
  };
}
