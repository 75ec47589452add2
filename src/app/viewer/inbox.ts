/** Lists the candidates that wait for review with their evidence, and decides on them like `review` does. */
import { SentinelError } from "../../ground/core/errors.ts";
import { type NoteLog, openNotes, type WaitingNote } from "../../sessions/notes/note-log.ts";
import type { SessionCommandContext } from "../../sessions/terminal/project-log.ts";
import { type Kept, keepOffer, type Offer, offersIn, undoKeep } from "../review/offers.ts";
import { type Action, type Call, type Done, textIn } from "./lesson-actions.ts";
import { type LessonTexts, textsOf } from "./lessons.ts";
import type { SessionLog } from "./sessions.ts";

export interface InboxRow extends Pick<Offer, "id" | "facts" | "moment" | "aged"> {
  readonly output: readonly string[];
  readonly texts: LessonTexts;
}

/** The most characters in a line of output. */
const WIDTH = 200;

/** Returns the candidates, each with the lesson it would become. @throws SentinelError `not_recorded` if recording is off and no candidate waits. */
export async function inbox(context: SessionCommandContext, log: SessionLog): Promise<InboxRow[]> {
  const { notes, offers } = await waiting(context, log);
  if (offers.length === 0) {
    await log.open();
  }
  const never = await notes.never();
  const open = offers.filter(({ id }) => !never.has(id));
  return open.map(({ id, facts, output = [], proposal, moment, aged }) => {
    return { id, facts, output, texts: textsOf(proposal), moment, aged };
  });
}

/** The changes of the inbox. Each finds the candidate by the `id` in its body. */
export function inboxActions(
  context: SessionCommandContext,
  log: SessionLog,
): Record<string, Action> {
  /** Notes that were decided on. Deciding deletes the note's text, and an undo needs it again. */
  const decided = new Map<string, WaitingNote>();
  const kept = new Map<string, Kept>();
  const find = async (id: string): Promise<{ notes: NoteLog; offer: Offer }> => {
    const { notes, offers } = await waiting(context, log);
    const offer = offers.find((one) => one.id === id);
    if (!offer) {
      const what = "This candidate no longer waits for review.";
      throw new SentinelError("not_found", what, "Load the page again.");
    }
    if (offer.note) {
      decided.set(id, offer.note);
    }
    return { notes, offer };
  };
  return {
    keep: async (body): Promise<Done> => {
      const { notes, offer } = await find(textIn(body, "id") ?? "");
      const saved = await keepOffer(context, notes, offer, { lesson: textIn(body, "lesson") });
      kept.set(offer.id, saved);
      return { said: "Kept as a lesson.", id: saved.line.version.id, undo: again(offer) };
    },
    never: async (body): Promise<Done> => {
      const { notes, offer } = await find(textIn(body, "id") ?? "");
      await notes.decide(offer.id);
      return { said: "Never offered again.", undo: again(offer) };
    },
    again: async (body): Promise<Done> => {
      const id = textIn(body, "id") ?? "";
      const saved = kept.get(id);
      const note = decided.get(id);
      if (saved) {
        await undoKeep(context.lessons, saved);
      }
      kept.delete(id);
      if (!saved || note) {
        await openNotes(context, await log.find()).undo(id, note);
      }
      return { said: "Offered again." };
    },
  };
}

/** The call that undoes a decision. */
const again = ({ id }: Offer): Call => ({ call: "again", body: { id } });

async function waiting(
  context: SessionCommandContext,
  log: SessionLog,
): Promise<{ notes: NoteLog; offers: Offer[] }> {
  const found = await log.find();
  const notes = openNotes(context, found);
  return { notes, offers: await offersIn(context, found.record, notes, WIDTH) };
}
