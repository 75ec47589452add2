/** Evidence: the parts of the session log that match the query best, repeats folded. Pure. */
import { dateOf } from "../../../ground/core/time.ts";
import { estimateTokens } from "../../../ground/core/tokens.ts";
import { speakerLabel } from "../../answers/render.ts";
import { type Event, eventText, identityIn, shortEventId } from "../../kinds/event.ts";
import { kindNamed } from "../../kinds/kinds.ts";
import type { FoundChunk } from "../../store.ts";
import { eventOfChunk } from "../../storing/chunks.ts";
import { artifactsOf } from "../../storing/mentions.ts";
import { block, type Candidate } from "../candidates.ts";
import { foldRepeats } from "../claims/repeats.ts";
import type { Scored } from "../scoring.ts";
import { passage } from "./passage.ts";

const LEAST_PASSAGE_TOKENS = 100;
const MOST_PASSAGE_TOKENS = 700;
/** The number of parts that fit into the section. */
const PARTS = 8;

/** An event that is shown whether or not the search found it. */
export interface Given {
  readonly event: Event;
  /** Words before it, such as "pinned, ". */
  readonly label: string;
  /** Whether it comes first in the section. */
  readonly leads?: boolean;
}

export interface Evidence {
  readonly candidates: readonly Candidate[];
  /** The number of repeats that were folded into another part. */
  readonly folded: number;
}

interface Part extends FoundChunk {
  readonly label: string;
  /** The key that sorts the shown parts. */
  readonly place: string;
  readonly again: readonly FoundChunk[];
}

/**
 * @param found best first. @param given alternates with the found parts, so a small section has room for both. @param room of the section,
 * in estimated tokens.
 */
export function evidenceCandidates(
  found: readonly Scored[],
  given: readonly Given[],
  terms: ReadonlySet<string>,
  room: number,
): Evidence {
  const mostTokens = passageTokens(room);
  const isGiven = new Set(given.map(({ event }) => identityIn(event.id)));
  const hits = found
    .map(({ hit }) => hit)
    .filter(({ id, event }) => !isGiven.has(identityIn(eventOfChunk(id))) && saysMore(event));
  const told = foldRepeats(hits, ({ text }) => text, sortOf);
  const parts = inTurns(
    given.map(partOfGiven),
    told.map(({ item, again }) => ({ ...item, label: "", place: placeOf(item.event), again })),
  );
  return {
    candidates: parts.map((part) => candidateOf(part, terms, mostTokens)),
    folded: told.reduce((sum, { again }) => sum + again.length, 0),
  };
}

const passageTokens = (room: number): number =>
  Math.min(MOST_PASSAGE_TOKENS, Math.max(LEAST_PASSAGE_TOKENS, Math.floor(room / PARTS)));

function partOfGiven({ event, label, leads = false }: Given, index: number): Part {
  // No session's id begins with a blank.
  const place = leads ? ` ${String(index).padStart(3, "0")}` : placeOf(event);
  return { id: event.id, event, text: eventText(event), label, place, again: [] };
}

const placeOf = ({ session, id }: Event): string => `${session} ${id}`;

function inTurns(first: readonly Part[], second: readonly Part[]): Part[] {
  const turns = first.flatMap((part, at) => [part, ...second.slice(at, at + 1)]);
  return [...turns, ...second.slice(first.length)];
}

const sortOf = ({ id, event: { kind, content } }: FoundChunk): string =>
  kindNamed(kind)?.evidenceSort?.(content) ?? id;

const saysMore = ({ kind, content }: Event): boolean =>
  kindNamed(kind)?.isSaidElsewhere?.(content) !== true;

function candidateOf(
  { id, event, text, label, place, again }: Part,
  terms: ReadonlySet<string>,
  mostTokens: number,
): Candidate {
  const said = event.kind === "message" ? "said " : "";
  const times = again.length === 0 ? "" : `, ${said}${again.length + 1} times`;
  const head = `${label}${speakerLabel(event)}, ${dateOf(event.ts)}${times} (${shortEventId(event.id)})`;
  return {
    section: "retrieved_evidence",
    place,
    refs: id === event.id ? [id] : [event.id, id],
    ...quoteOf(event, text, head, terms, mostTokens),
    again: again.map((repeat) => repeat.id),
  };
}

/** The part of a text that matches the query best, behind a head that already names the file. */
export function quoteOf(
  event: Event,
  text: string,
  head: string,
  terms: ReadonlySet<string>,
  mostTokens: number,
): Required<Pick<Candidate, "text" | "least">> & Pick<Candidate, "artifact"> {
  const { path } = event.content;
  const isNamed = path !== undefined && text.startsWith(`${path}\n`);
  const said = isNamed ? text.slice(path.length + 1) : text;
  const [artifact] = artifactsOf(event);
  return {
    text: () => `${head}: ${block(passage(said, terms, mostTokens))}`,
    // A passage fills its room except for less than a piece, and a block has fewer blanks.
    least: () => Math.min(estimateTokens(said), mostTokens) / 2,
    artifact,
  };
}
