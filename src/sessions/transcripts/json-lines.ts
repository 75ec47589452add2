/** Reads lines of JSON. Several processes may write them, and killed ones leave lines incomplete or joined. */
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

/** The contents of the object on a line. */
export interface ReadObject {
  readonly parts: readonly Part[];
  /** Without an id of the client, the hash of the text is used. */
  readonly line: Partial<TranscriptLine>;
  readonly isConversation: boolean;
  /** Whether later lines need it, even if it has no message. */
  readonly isPlace?: boolean;
}

/** A damaged line doesn't mean that the client's format changed, so it doesn't count as conversation that was not understood. */
const DAMAGED_LINE: LineReading = { leftOut: [], unknown: [DAMAGED], isConversation: false };
/** The most objects in a line to try as the beginning of the next line. */
const MOST_PLACES = 500;

/** Reads a line, or each of several joined ones. Unreadable parts count as `damaged`. @param isLine whether an object is a whole line. */
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
  const says: Said[] = [];
  const leftOut: string[] = [];
  const unknown: string[] = [];
  for (const part of parts) {
    if (part.kind === "left out") leftOut.push(part.type);
    else if (part.kind === "unknown") unknown.push(part.type);
    else says.push(part);
  }
  const version = line.version ?? line.opens?.version;
  const reading = { leftOut, unknown, isConversation, ...known({ version }) };
  if (says.length === 0 && !isPlace) return reading;
  return { ...reading, line: { ...line, id: line.id ?? hash("sha256", text), says } };
}

function parsed(text: string): Fields | undefined {
  const value: unknown = tryOr(() => JSON.parse(text), undefined);
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : undefined;
}

/** Splits joined lines. Returns the whole ones, and whether a part is left over. @param isWhole whether a part is a line. */
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

/** The start of the last whole line. Tries the earliest place first, because objects inside a line are not lines. */
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

/** A message or call, or the type of a part that is left out on purpose or not understood. */
export type Part =
  | Said
  | { readonly kind: "left out"; readonly type: string }
  | { readonly kind: "unknown"; readonly type: string };

export function leaveOut(type: string, subtype?: unknown): Part {
  return { kind: "left out", type: typeof subtype === "string" ? `${type}/${subtype}` : type };
}

export const unknownPart = (type: string): Part => ({ kind: "unknown", type });

/** A blank reply is left out. */
export function replyOf(text: unknown): Part {
  const said = (textOf(text) ?? "").trim();
  return said === "" ? leaveOut("assistant", "blank") : { kind: "reply", text: said };
}

/** A line of conversation without any part is unknown as a whole. */
export const orUnknown = (parts: readonly Part[], type: string): readonly Part[] =>
  parts.length === 0 ? [unknownPart(type)] : parts;
