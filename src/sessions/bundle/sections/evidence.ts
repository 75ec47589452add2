/** What the session log says about the query: parts of what was said and done, the best first, what was said again left out. Pure. */
import { dateOf } from "../../../ground/core/time.ts";
import { estimateTokens } from "../../../ground/core/tokens.ts";
import { nameOf, ofWhom } from "../../answers/speakers.ts";
import { type Event, eventText, identityIn, shortEventId } from "../../kinds/event.ts";
import { isQuoted } from "../../kinds/kind.ts";
import { kindNamed } from "../../kinds/kinds.ts";
import { isOfOtherVoice, voiceName } from "../../kinds/message.ts";
import type { FoundChunk } from "../../store.ts";
import { eventOfChunk } from "../../storing/chunks.ts";
import { artifactsOf } from "../../storing/mentions.ts";
import { block, type Candidate } from "../candidates.ts";
import { passage } from "../passage.ts";
import { foldRepeats } from "../repeats.ts";
import type { Scored } from "../scoring.ts";

const LEAST_PASSAGE_TOKENS = 100;
const MOST_PASSAGE_TOKENS = 700;
/** How many parts the room of a section is for. */
const PARTS = 8;

/** @param given events with words before them, such as pins: first, in turns with what was found. @param room estimated tokens of the section. */
export function evidenceCandidates(
  found: readonly Scored[],
  given: readonly { readonly event: Event; readonly label: string }[],
  terms: ReadonlySet<string>,
  room: number,
) {
  const most = Math.min(
    MOST_PASSAGE_TOKENS,
    Math.max(LEAST_PASSAGE_TOKENS, Math.floor(room / PARTS)),
  );
  const isGiven = new Set(given.map(({ event }) => identityIn(event.id)));
  const parts: FoundChunk[] = found
    .filter(({ hit }) => saysMore(hit.event) && !isGiven.has(identityIn(eventOfChunk(hit.id))))
    .map(({ hit: { id, event, text } }) => ({ id, event, text }));
  const told = foldRepeats(parts, ({ text }) => text, sortOf);
  return {
    candidates: inTurns(
      given.map(({ event, label }) =>
        candidateOf({ id: event.id, event, text: eventText(event) }, terms, most, { label }),
      ),
      told.map(({ item, again }) => candidateOf(item, terms, most, { again })),
    ),
    /** How many said what another one says. */
    folded: told.reduce((sum, { again }) => sum + again.length, 0),
  };
}

/** Where there is little room, what is pinned does not take all of it. */
function inTurns(first: readonly Candidate[], second: readonly Candidate[]): Candidate[] {
  const turns = first.flatMap((candidate, at) => [candidate, ...second.slice(at, at + 1)]);
  return [...turns, ...second.slice(first.length)];
}

const sortOf = ({ id, event: { kind, content } }: FoundChunk): string =>
  kindNamed(kind)?.evidenceSort?.(content) ?? id;

const saysMore = ({ kind, content }: Event): boolean =>
  kindNamed(kind)?.isSaidElsewhere?.(content) !== true;

function candidateOf(
  { id, event, text }: FoundChunk,
  terms: ReadonlySet<string>,
  most: number,
  { label = "", again = [] }: { readonly label?: string; readonly again?: readonly FoundChunk[] },
): Candidate {
  const word = event.kind === "message" ? "said " : "";
  const times = again.length === 0 ? "" : `, ${word}${again.length + 1} times`;
  const head = `${label}${speakerLabel(event)}, ${dateOf(event.ts)}${times} (${shortEventId(event.id)})`;
  return {
    section: "retrieved_evidence",
    place: `${event.session} ${event.id}`,
    refs: id === event.id ? [id] : [event.id, id],
    ...quoteOf(event, text, head, terms, most),
    again: again.map((part) => part.id),
  };
}

/** Behind its head, which names the file already, the part of a text that says most about the query. */
export function quoteOf(
  event: Event,
  text: string,
  head: string,
  terms: ReadonlySet<string>,
  mostTokens: number,
) {
  const { path } = event.content;
  const said =
    path !== undefined && text.startsWith(`${path}\n`) ? text.slice(path.length + 1) : text;
  const [artifact] = artifactsOf(event);
  return {
    text: () => `${head}: ${block(passage(said, terms, mostTokens))}`,
    // A passage fills its room but for a piece, and a block has fewer blanks.
    least: () => Math.min(estimateTokens(said), mostTokens) / 2,
    artifact,
  };
}

/** A failure is told as what happened, so that nobody makes the call again. */
export function speakerLabel({ kind, actor, content, person }: Event): string {
  const of = ofWhom(person);
  if (isQuoted(content)) return `user, as the agent${of} quotes`;
  if (kind === "message" && actor.type === "human")
    return person === undefined ? "user" : `user ${nameOf(person)}`;
  if (isOfOtherVoice({ kind, actor })) return `${voiceName(actor.id)}${of}`;
  if (kind === "message") return `agent${of}`;
  const outcome = content.outcome?.replaceAll("_", " ");
  const what = content.path ?? content.tool ?? actor.id;
  if (kind === "tool_result") return `${outcome === undefined ? "" : `${outcome}: `}${what}${of}`;
  if (kind === "summary") return `summary, as the agent${of} believed`;
  return `${kind.replaceAll("_", " ")}${of}`;
}
