/**
 * Turns the arguments that clients really send into values a tool can use.
 *
 * Clients differ, so reading is lenient: null and an empty text mean absent; a number may come as digits, an array or object
 * as JSON text, an array as its only item, a word of a choice in capitals. An unknown name that is probably a typo is an
 * error, because its value would be lost; other unknown names are ignored and mentioned.
 */
import { distance } from "fastest-levenshtein";
import type { z } from "zod";
import { SentinelError } from "../core/errors.ts";

export interface ReadArguments<Values> {
  readonly values: Values;
  /** Names that the schema does not know. */
  readonly ignored: readonly string[];
}

/** @throws SentinelError `unknown_argument`, `bad_argument`. */
export function readArguments<Schema extends z.ZodObject>(
  schema: Schema,
  given: Readonly<Record<string, unknown>>,
): ReadArguments<z.output<Schema>> {
  const names = Object.keys(schema.shape);
  const ignored: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (names.includes(name)) values[name] = readValue(schema.shape[name] as z.ZodType, value);
    else if (isAbsent(value)) continue;
    else {
      const near = names.find((candidate) => isNear(name, candidate));
      if (near) throw unknownArgument(name, near);
      ignored.push(name.slice(0, 40));
    }
  }
  const result = schema.safeParse(values);
  if (result.success) return { values: result.data, ignored };
  throw badArgument(result.error, values);
}

function readValue(type: z.ZodType, value: unknown): unknown {
  const optional = type.safeParse(undefined).success;
  if (value === null || (value === "" && optional)) return undefined;
  if (typeof value !== "string" || type.safeParse(value).success) return value;
  const readings = otherReadings(value);
  return readings.find((reading) => type.safeParse(reading).success) ?? readings[0];
}

/** What a text may stand for where the schema wants something else: a number, a list, an object, a list of one, a choice. */
function otherReadings(text: string): unknown[] {
  if (/^\s*[[{]/.test(text)) return [jsonOr(text)];
  return [...(/^\s*[+-]?\d+\s*$/.test(text) ? [Number(text)] : []), text.trim().toLowerCase(), [text.trim()]];
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isAbsent(value: unknown): boolean {
  return value === null || value === undefined || value === "";
}

/** Another spelling (askNextTime), a part (ask_next), or a typo (lessson). */
function isNear(name: string, known: string): boolean {
  const [a, b] = [name, known].map((text) => text.toLowerCase().replaceAll(/[^a-z]/g, "")) as [string, string];
  if (a === b) return true;
  if (Math.min(a.length, b.length) >= 4 && (a.includes(b) || b.includes(a))) return true;
  // Two letters are swapped, or one is wrong; in a longer name two may be.
  const sameLetters = [...a].sort().join() === [...b].sort().join();
  return distance(a, b) <= (sameLetters || Math.min(a.length, b.length) >= 6 ? 2 : 1);
}

function unknownArgument(name: string, near: string): SentinelError {
  return new SentinelError(
    "unknown_argument",
    `There is no argument "${name}"; there is "${near}".`,
    `Call again with "${near}". Nothing was done.`,
  );
}

function badArgument({ issues }: z.ZodError, values: Record<string, unknown>): SentinelError {
  const paths = issues.map(({ path }) => path.join("."));
  const missing = paths.filter((_, index) => values[String(issues[index]?.path[0])] === undefined);
  if (missing.length > 0) {
    const names = missing.join(", ");
    const what = missing.length === 1 ? `The argument ${names} is` : `The arguments ${names} are`;
    return new SentinelError("bad_argument", `${what} missing.`, `Call again with ${names}.`);
  }
  const [path] = paths;
  return new SentinelError(
    "bad_argument",
    `The argument ${path} cannot be used: ${issues[0]?.message.replace("Invalid input: ", "")}.`,
    `Correct ${path} and call again.`,
  );
}
