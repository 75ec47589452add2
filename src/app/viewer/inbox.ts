/** Lists the candidates that wait for review with their evidence, and decides on them like `review` does. */
import { SentinelError } from "../../ground/core/errors.ts";
import { openNotes, type WaitingNote } from "../../sessions/notes/note-log.ts";
import { keepOffer, offersIn } from "../review/waiting.ts";
import { type Done, textIn } from "./lesson-actions.ts";
import { textsOf } from "./lessons.ts";
import type { SessionLog } from "./session-log.ts";
import type { Action, ViewerContext } from "./viewer.ts";

export type InboxRow = Awaited<ReturnType<typeof inbox>>[number];

/** The most characters in a line of output. */
const WIDTH = 200;

/** Returns the candidates, each with the lesson it would become. @throws SentinelError `not_recorded` if there are none and recording is off. */
export async function inbox(context: ViewerContext, log: SessionLog) {
  const { notes, offers } = await waiting(context, log);
  if (offers.length === 0) await log.open();
  const never = await notes.never();
  const open = offers.filter(({ id }) => !never.has(id));
  return open.map(({ id, facts, output = [], proposal, moment, aged }) => {
    return {
      id,
      facts,
      output,
      texts: textsOf(proposal),
      moment,
      aged,
    };
  });
}

export function inboxActions(context: ViewerContext, log: SessionLog): Record<string, Action> {
  /** Notes that were decided on. Deciding deletes the note's text, and an undo needs it again. */
  const decided = new Map<string, WaitingNote>();
  const find = async (body: Parameters<Action>[0]) => {
    const { notes, offers } = await waiting(context, log);
    const id = textIn(body, "id") ?? "";
    const offer = offers.find((one) => one.id === id);
    if (!offer)
      throw new SentinelError(
        "not_found",
        "A lesson about this is there already.",
        "Load the page again.",
      );
    if (offer.note) decided.set(id, offer.note);
    return { notes, offer };
  };
  return {
    keep: async (body): Promise<Done> => {
      const { notes, offer } = await find(body);
      const { line } = await keepOffer(context, notes, offer, { lesson: textIn(body, "lesson") });
      const lesson = line.version.id;
      return {
        said: "Kept as a lesson.",
        id: lesson,
        undo: { call: "again", body: { id: offer.id, lesson } },
      };
    },
    never: async (body): Promise<Done> => {
      const { notes, offer } = await find(body);
      await notes.decide(offer.id);
      return { said: "Never offered again.", undo: { call: "again", body: { id: offer.id } } };
    },
    again: async (body): Promise<Done> => {
      const id = textIn(body, "id") ?? "";
      const lesson = textIn(body, "lesson");
      const note = decided.get(id);
      if (lesson !== undefined) await context.lessons.forget([lesson], "undone in review");
      if (lesson === undefined || note) await (await notesOf(context, log)).undo(id, note);
      return { said: "Offered again." };
    },
  };
}

async function waiting(context: ViewerContext, log: SessionLog) {
  const notes = await notesOf(context, log);
  return { notes, offers: await offersIn(context, (await log.find()).record, notes, WIDTH) };
}

const notesOf = async (context: ViewerContext, log: SessionLog) =>
  openNotes(context, await log.find());
