/** Lines of JSON that several processes write, some of which are killed: lenient with what is torn or welded together. */
import { fusedLines } from "./fused-lines.ts";
import { DAMAGED, type Fields, type LineReading } from "./transcript.ts";

/** It says nothing about the client's format, so it does not count as conversation that was not understood. */
const DAMAGED_LINE: LineReading = { leftOut: [], unknown: [DAMAGED], isConversation: false };

/**
 * What a line says; where several stand in it, what each of them says. What cannot be read is `damaged`.
 * @param isLine whether an object stands on a line of its own, and not in another.
 */
export function readJsonLine(
  text: string,
  isLine: (fields: Fields) => boolean,
  readingOf: (fields: Fields, text: string) => LineReading,
): readonly LineReading[] {
  const whole = parsed(text);
  if (whole) return [readingOf(whole, text)];
  const { parts, isDamaged } = fusedLines(text, (part) => isLine(parsed(part) ?? {}));
  const readings = parts.map((part) => readingOf(parsed(part) ?? {}, part));
  return isDamaged ? [DAMAGED_LINE, ...readings] : readings;
}

function parsed(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}
