/** Lists the offers of a project, and keeps one as a lesson; for `review` and the viewer. */
import { SentinelError } from "../../ground/core/errors.ts";
import { firstWords } from "../../ground/core/text.ts";
import { prepareDraft } from "../../lessons/changes/draft.ts";
import type { LessonCommandContext } from "../../lessons/terminal/read-memory.ts";
import type { ProjectLog } from "../../sessions/consent/find-log.ts";
import type { NoteLog } from "../../sessions/notes/note-log.ts";
import type { SessionCommandContext } from "../../sessions/terminal/project-log.ts";
import { failuresIn } from "./failures.ts";
import { agedOffers, noteOffers, type Offer } from "./offers.ts";

/** How a person keeps one. */
export interface Worded {
  /** The rule; the offer's own where it is empty or absent. */
  readonly lesson?: string | undefined;
  readonly hold?: boolean | undefined;
}

/** Lists all offers, decided or not. @param width of a line of output, in characters. */
export async function offersIn(
  {
    project,
    lessons,
    openEvents,
  }: Pick<SessionCommandContext, "project" | "lessons" | "openEvents">,
  record: ProjectLog | undefined,
  notes: NoteLog,
  width: number,
): Promise<Offer[]> {
  const shown = (await lessons.read()).lessons().map(({ version }) => version);
  return [
    ...(record ? await failuresIn(openEvents(record.folder), lessons, width) : []),
    ...(await agedOffers(shown, project.folder)),
    ...noteOffers(await notes.waiting(Date.now()), shown),
  ];
}

/** Saves one as a lesson. @throws SentinelError `bad_argument` for a lesson that is there already, and as a save does. */
export async function keepOffer(
  { lessons, readPrivacy }: Pick<LessonCommandContext, "lessons" | "readPrivacy">,
  notes: NoteLog,
  offer: Offer,
  { lesson, hold }: Worded,
) {
  if (offer.aged) {
    const fix = `sentinel-memory edit ${offer.aged} --lesson TEXT, sentinel-memory forget ${offer.aged}, or review --never ${offer.id}`;
    throw new SentinelError(
      "bad_argument",
      "This is an existing lesson that names a missing file or option.",
      fix,
    );
  }
  const { lesson: before, missing_context: gap } = offer.proposal;
  // The gap of a note has the beginning of its rule.
  const worded = lesson && {
    lesson,
    missing_context: gap.replace(firstWords(before), () => firstWords(lesson)),
  };
  const said = { ...offer.proposal, ...worded, ...(hold && { hold }) };
  const { draft, redactions } = prepareDraft(said, (await readPrivacy()).forStoring());
  const saved = await lessons.save(
    draft,
    offer.moment === undefined ? {} : { from: offer.moment.event },
  );
  if (offer.note) await notes.decide(offer.id);
  return { ...saved, redactions };
}
