/** Evidence: the parts of the session log that match the query best, repeats folded, and the end of the session. Pure. */
import { indented, withoutMarks } from "../../../ground/core/text.ts";
import { dateOf } from "../../../ground/core/time.ts";
import { estimateTokens } from "../../../ground/core/tokens.ts";
import { isEveryday } from "../../../ground/search/everyday.ts";
import { tokenize } from "../../../ground/search/tokenizer.ts";
import { speakerLabel } from "../../answers/render.ts";
import { type Event, eventText, identityIn, shortEventId } from "../../kinds/event.ts";
import { cut } from "../../kinds/kind.ts";
import { kindNamed } from "../../kinds/kinds.ts";
import type { FoundChunk } from "../../store.ts";
import { eventOfChunk } from "../../storing/chunks.ts";
import { artifactsOf } from "../../storing/event-texts.ts";
import type { Candidate } from "../bundle.ts";
import { figuresIn } from "../conflicts.ts";
import type { Scored } from "../scoring.ts";

/** The limits of a part that no search found. Only its beginning is shown. */
const LEAST_TOKENS = 100;
const MOST_TOKENS = 700;
/** The number of such parts that fit into the section, and of found ones, which are shown whole if there's room. */
const PARTS = 8;
const FOUND_PARTS = 3;
/** Outcomes of calls that did nothing. */
const NOTHING_DONE: ReadonlySet<unknown> = new Set(["cascade", "not_found"]);

/** An event that is shown whether or not the search found it. */
export interface Given {
  readonly event: Event;
  /** Words before it, such as "pinned, ". */
  readonly label: string;
}

export interface Evidence {
  readonly candidates: readonly Candidate[];
  /** The number of repeats that were folded into another part. */
  readonly folded: number;
}

/**
 * @param found best first, shown unless the beginning of a given event already contains it. @param given alternates with the found parts,
 * so a small section has room for both. @param room of the section, in estimated tokens.
 */
export function evidenceCandidates(
  found: readonly Scored[],
  given: readonly Given[],
  room: number,
): Evidence {
  const mostOfGiven = Math.min(MOST_TOKENS, Math.max(LEAST_TOKENS, Math.floor(room / PARTS)));
  const first = given.map(({ event, label }) => {
    const part = { id: event.id, event, text: eventText(event) };
    return candidateOf(part, label, [], mostOfGiven);
  });
  const shown = new Map(first.map(({ refs: [id = ""], text }) => [identityIn(id), text]));
  const isShown = ({ id, event, text }: FoundChunk) => {
    const beginningOfEvent = shown.get(identityIn(eventOfChunk(id)));
    if (beginningOfEvent === undefined) {
      return false;
    }
    return beginningOfEvent.includes(inLine(withoutPath(text, event)).trim());
  };
  const told = foldRepeats(found.map(({ hit }) => hit).filter((hit) => !isShown(hit)));
  const mostOfHit = Math.max(LEAST_TOKENS, Math.floor(room / FOUND_PARTS));
  const second = told.map(({ hit, again }) => candidateOf(hit, "", again, mostOfHit));
  return {
    candidates: inTurns(first, second),
    folded: told.reduce((sum, { again }) => sum + again.length, 0),
  };
}

function inTurns(first: readonly Candidate[], second: readonly Candidate[]): Candidate[] {
  const turns = first.flatMap((part, at) => [part, ...second.slice(at, at + 1)]);
  return [...turns, ...second.slice(first.length)];
}

function candidateOf(
  { id, event, text }: FoundChunk,
  label: string,
  again: readonly FoundChunk[],
  mostTokens: number,
): Candidate {
  const said = event.kind === "message" ? "said " : "";
  const times = again.length === 0 ? "" : `, ${said}${again.length + 1} times`;
  const head = `${label}${speakerLabel(event)}, ${dateOf(event.ts)}${times} (${shortEventId(event.id)})`;
  return {
    section: "retrieved_evidence",
    refs: id === event.id ? [id] : [event.id, id],
    text: `${head}: ${beginning(text, event, mostTokens)}`,
    artifact: artifactsOf(event)[0],
    again: again.map((repeat) => repeat.id),
  };
}

/** The last events of the session. @param window the newest first. */
export function windowCandidates(window: readonly Event[]): Candidate[] {
  const candidates: Candidate[] = [];
  const said = new Set<string>();
  for (const event of window) {
    const { id, kind, content, hash } = event;
    const text = eventText(event);
    const mostTokens = kindNamed(kind)?.windowTokens;
    const isNothing = content.interrupted === true || NOTHING_DONE.has(content.outcome);
    if (mostTokens === undefined || isNothing || text.trim() === "" || said.has(hash)) {
      continue;
    }
    said.add(hash);
    const head = `${speakerLabel(event)} (${shortEventId(id)})`;
    candidates.push({
      section: "recent_window",
      refs: [id],
      text: `${head}: ${beginning(text, event, mostTokens)}`,
      artifact: artifactsOf(event)[0],
    });
  }
  return candidates;
}

/** The text as far as it fits. */
function beginning(text: string, event: Event, mostTokens: number): string {
  const said = withoutPath(text, event);
  const tokens = estimateTokens(said);
  if (tokens <= mostTokens) {
    return inLine(said);
  }
  const most = Math.floor((mostTokens * said.length) / tokens);
  return inLine(`${cut(said, most).trimEnd()} …`);
}

/** The head of a part already names the file. */
function withoutPath(text: string, { content: { path } }: Event): string {
  const isNamed = path !== undefined && text.startsWith(`${path}\n`);
  return isNamed ? text.slice(path.length + 1) : text;
}

/** Indents the lines after the first, so that stored text can't imitate our lines. */
const inLine = (text: string): string => indented(withoutMarks(text));

/** Two statements with this share of common words (Jaccard) count as the same. */
const SHARE = 0.5;
/** Longer texts fold only if they are equal. */
const MOST_CHARACTERS = 600;
/** Events of other kinds, such as decisions, never fold. */
const FOLDED: readonly string[] = ["message", "tool_call", "tool_result"];
/** "No more" after a figure is a limit and doesn't negate. */
const NEGATION =
  /\b(?:no(?! more\W*$|.*\d)|not|never|cannot|off|only|without|lack(?:s|ed|ing)?|until|\w+n['’]t)\b|않|없|못|금지|ない|不|没|未|禁/i;
const QUESTION = /[?？]\s*$/;
/** Words that give the words around them an order, with the word behind. "Over" before a figure is a limit, and "need to" has no direction. */
const DIRECTION =
  /(?:\b(?:from|before|after|than|instead of|over(?!.*\d)|into|(?<!\b(?:able|ha[sd]|have|going|like|needs?|try(?:ing)?|wants?) )to(?! \d))\b|->|→)\s*(?:the |an? )?\S*/gi;
/** Code, file names, identifiers and hashes: "update a.ts" isn't "update b.ts". */
const NAME =
  /`[^`]+`|\b\w+(?:[._]\w+)+\b|\b[a-z]+[A-Z]\w*|\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,}\b/g;

/** Phrases that only introduce a statement. */
const INTRODUCTIONS =
  /\b(?:again|agreed|also|always|decided|go(?:es)? out|happens?|just|keep in mind|let's|note|now|ok|okay|please|remember|so|then|yes)\b/gi;
const TIMES =
  /\b\d{4}-\d\d-\d\d(?:[T ][\d:.]+Z?)?\b|\b\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]m\b)?|\b\d{1,2}\.? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,? \d{4}\b/gi;

interface Told {
  readonly hit: FoundChunk;
  /** The hits that repeat the statement and are left out. */
  readonly again: readonly FoundChunk[];
}

interface Statement {
  readonly words: ReadonlySet<string>;
  /** Statements with different signs are different, whatever their words. */
  readonly signs: string;
}

/** @param hits best first. @returns in the same order, each statement once with its repeats. @internal */
export function foldRepeats(hits: readonly FoundChunk[]): Told[] {
  const told: { hit: FoundChunk; again: FoundChunk[]; statement: Statement }[] = [];
  for (const hit of hits) {
    const statement = statementIn(hit);
    const same = told.find((other) => saysTheSame(other.statement, statement));
    if (same) {
      same.again.push(hit);
    } else {
      told.push({ hit, again: [], statement });
    }
  }
  return told;
}

/** The same figures are strong evidence, so everyday words around them may differ. */
function statementIn({ id, text: written, event: { kind, content } }: FoundChunk): Statement {
  const text = written.replaceAll(TIMES, " ");
  const { figures, rest } = figuresIn(text);
  const all = tokenize(rest.replaceAll(INTRODUCTIONS, " "));
  const words = figures.length === 0 ? all : all.filter((word) => !isEveryday(word));
  const signs = [
    FOLDED.includes(kind) ? kind : id,
    content.tool,
    content.path,
    content.outcome,
    figures.map(({ value, unit }) => `${value} ${unit}`),
    NEGATION.test(text),
    QUESTION.test(text),
    text.toLowerCase().match(DIRECTION),
    written.length > MOST_CHARACTERS ? written : namesIn(text),
  ];
  return { words: new Set(words), signs: JSON.stringify(signs) };
}

/** Each once, in any order. */
function namesIn(text: string): string[] {
  const names = (text.match(NAME) ?? []).map((name) => name.replaceAll("`", ""));
  return [...new Set(names)].sort();
}

function saysTheSame(a: Statement, b: Statement): boolean {
  if (a.signs !== b.signs) {
    return false;
  }
  const shared = [...a.words].filter((word) => b.words.has(word)).length;
  return shared >= SHARE * (a.words.size + b.words.size - shared);
}
