/** Lines of JSON that several processes write, some of which are killed: lenient with what is torn or welded together. */
import { hash } from "node:crypto";
import { tryOr } from "../../ground/core/errors.ts";
import { known, textOf } from "./fields.ts";
import {
  DAMAGED,
  type Fields,
  type LineReading,
  type Said,
  type TranscriptLine,
} from "./transcript.ts";

/** What a reader makes of the object on a line. */
export interface ReadObject {
  readonly parts: readonly Part[];
  /** Without an id of the client the hash of the text is one. */
  readonly line: Partial<TranscriptLine>;
  readonly isConversation: boolean;
  /** Whether later lines rest on it, also where it says nothing. */
  readonly isPlace?: boolean;
}

/** It says nothing about the client's format, so it does not count as conversation that was not understood. */
const DAMAGED_LINE: LineReading = { leftOut: [], unknown: [DAMAGED], isConversation: false };
/** A line of a transcript holds objects, and each may be where the next line begins. */
const MOST_PLACES = 500;

/** Reads a line, or each of several in it; `damaged` for what cannot be read. @param isLine whether an object is a line of its own. */
export function readJsonLine(
  text: string,
  isLine: (fields: Fields) => boolean,
  read: (fields: Fields, text: string) => ReadObject | readonly ReadObject[],
): readonly LineReading[] {
  const readingsOf = (fields: Fields, part: string) =>
    [read(fields, part)].flat().map((one) => readingOf(one, part));
  const whole = parsed(text);
  if (whole) return readingsOf(whole, text);
  const { parts, isDamaged } = fusedLines(text, (part) => isLine(parsed(part) ?? {}));
  const readings = parts.flatMap((part) => readingsOf(parsed(part) ?? {}, part));
  return isDamaged ? [DAMAGED_LINE, ...readings] : readings;
}

function readingOf(
  { parts, line, isConversation, isPlace }: ReadObject,
  text: string,
): LineReading {
  const typesOf = (kind: Part["kind"]) =>
    parts.flatMap((part) => (part.kind === kind && "type" in part ? part.type : []));
  const says = parts.filter(
    (part): part is Said => part.kind !== "left out" && part.kind !== "unknown",
  );
  return {
    leftOut: typesOf("left out"),
    unknown: typesOf("unknown"),
    isConversation,
    ...known({ version: line.version ?? line.opens?.version }),
    ...((says.length > 0 || isPlace) && {
      line: { ...line, id: line.id ?? hash("sha256", text), says },
    }),
  };
}

function parsed(text: string): Fields | undefined {
  const value: unknown = tryOr(() => JSON.parse(text), undefined);
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : undefined;
}

/** The whole lines in one line where several were welded together, and whether a rest is left. @param isWhole whether a part is a line. */
function fusedLines(text: string, isWhole: (part: string) => boolean) {
  const parts: string[] = [];
  let rest = text;
  while (!isWhole(rest)) {
    const start = startOfLast(rest, isWhole);
    if (start === undefined) {
      const first = places(rest, "}{")
        .map((at) => rest.slice(0, at + 1))
        .find(isWhole);
      return { parts: first === undefined ? parts : [first, ...parts], isDamaged: true };
    }
    parts.unshift(rest.slice(start));
    rest = rest.slice(0, start);
  }
  return { parts: [rest, ...parts], isDamaged: false };
}

/** Where the last whole line begins. The one that begins first is tried first: what is inside it is not a line. */
function startOfLast(text: string, isWhole: (part: string) => boolean): number | undefined {
  return places(text, '{"').find((at) => at > 0 && isWhole(text.slice(at)));
}

function places(text: string, sign: string): number[] {
  const found: number[] = [];
  for (
    let at = text.indexOf(sign);
    at >= 0 && found.length < MOST_PLACES;
    at = text.indexOf(sign, at + 1)
  )
    found.push(at);
  return found;
}

/** Something that is said, or the type of something that is left out on purpose or not understood. */
export type Part = Said | { readonly kind: "left out" | "unknown"; readonly type: string };

export function leaveOut(type: string, subtype?: unknown): Part {
  return { kind: "left out", type: typeof subtype === "string" ? `${type}/${subtype}` : type };
}

export const unknownPart = (type: string): Part => ({ kind: "unknown", type });

/** A blank reply is left out. */
export function replyOf(text: unknown): Part {
  const said = (textOf(text) ?? "").trim();
  return said === "" ? leaveOut("assistant", "blank") : { kind: "reply", text: said };
}

/** A line of conversation of which no part is named is unknown as a whole. */
export const orUnknown = (parts: readonly Part[], type: string): readonly Part[] =>
  parts.length === 0 ? [unknownPart(type)] : parts;
