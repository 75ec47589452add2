/** Reads lines of JSON. Several processes may write them, and killed ones leave lines incomplete or joined. */
import { hash } from "node:crypto";
import { isObject } from "../../ground/core/collections.ts";
import { parseJson } from "../../ground/core/errors.ts";
import {
  DAMAGED,
  type Fields,
  type LineReading,
  type ReadObject,
  type Said,
  type TranscriptLine,
  type TranscriptReader,
} from "./transcript.ts";

type ObjectReader = Pick<TranscriptReader, "isLine" | "read">;

/** A damaged line doesn't mean that the client's format changed, so it doesn't count as conversation that was not understood. */
const DAMAGED_LINE: LineReading = { unknown: [DAMAGED], isConversation: false };
/** The most objects in a damaged line to try as the beginning of the next line. */
const MOST_PLACES = 500;
/** The end of a line that is joined with the next one. Inside a text, the quotation mark would be escaped. */
const BETWEEN_LINES = /(?<=\})(?=\{")/;

/** Reads a line, or each of several joined ones. Unreadable parts count as `damaged`. */
export function readJsonLine(text: string, reader: ObjectReader): readonly LineReading[] {
  const whole = readWholeLine(text, reader);
  return whole ?? text.split(BETWEEN_LINES).flatMap((part) => readPart(part, reader));
}

/** Reads a line. Undefined if it's damaged. It takes linear time. */
export function readWholeLine(
  text: string,
  reader: ObjectReader,
): readonly LineReading[] | undefined {
  const fields = parsed(text);
  return fields && readingsOf(fields, text, reader);
}

/** Reads the line at the end of a part. Anything before it is damaged. */
function readPart(part: string, reader: ObjectReader): readonly LineReading[] {
  const starts = [...part.matchAll(/\{"/g)].slice(0, MOST_PLACES);
  for (const { index } of starts) {
    const rest = part.slice(index);
    const fields = parsed(rest);
    if (!fields || reader.isLine?.(fields) === false) {
      continue;
    }
    const readings = readingsOf(fields, rest, reader);
    return index === 0 ? readings : [DAMAGED_LINE, ...readings];
  }
  return [DAMAGED_LINE];
}

function readingsOf(fields: Fields, text: string, { read }: ObjectReader): LineReading[] {
  return [read(fields, text)].flat().map((one) => readingOf(one, text));
}

function readingOf(
  { parts, line, isConversation, isPlace }: ReadObject,
  text: string,
): LineReading {
  const says: Said[] = [];
  const unknown: string[] = [];
  for (const part of parts) {
    if (part.kind === "unknown") {
      unknown.push(part.type);
    } else {
      says.push(part);
    }
  }
  if (says.length === 0 && !isPlace) {
    return { unknown, isConversation };
  }
  const id = line.id ?? hash("sha256", text);
  return { unknown, isConversation, line: { ...withoutMissing(line), id, says } };
}

/** Fields that a line lacks are taken from the line before, so they must be absent. */
function withoutMissing(line: Partial<TranscriptLine>): Partial<TranscriptLine> {
  return Object.fromEntries(Object.entries(line).filter(([, value]) => value !== undefined));
}

function parsed(text: string): Fields | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}
