/** Reads the arguments of a call leniently, because clients send them in several forms (docs/design/ground.md, "Tools"), then validates them with zod. */

import { distance } from "fastest-levenshtein";
import * as z from "zod";
import { SentinelError, tryOr } from "../core/errors.ts";

/** An id in a list. Ids contain no comma, so a list of them may be sent as one comma-separated string. */
export const ID = z.string().refine((text) => !text.includes(","));

/** A text that may be left out. @param meaning the description that clients get. */
export const optionalText = (meaning: string) => z.string().optional().describe(meaning);

/** Reads a call's arguments. @returns their values, and the names that aren't in the schema. @throws SentinelError `unknown_argument`, `bad_argument`. */
export function readArguments<Schema extends z.ZodObject>(
  schema: Schema,
  given: Readonly<Record<string, unknown>>,
) {
  const names = Object.keys(schema.shape);
  const ignored: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const isEmpty = value === null || value === undefined || isBlank(value);
    if (names.includes(name)) {
      values[name] = readValue(schema.shape[name] as z.ZodType, value, name);
    } else if (!isEmpty) {
      refuseNear(name, names);
      ignored.push(name.slice(0, 40));
    }
  }
  if (ignored[0] !== undefined && Object.keys(values).length === 0) {
    throw onlyUnknown(ignored[0], names);
  }
  return { values: readAs(schema, values, "argument"), ignored };
}

/** A name that differs from a known one by a slip of the pen is refused, not ignored. */
function refuseNear(name: string, names: readonly string[]): void {
  const near = names.find((candidate) => isNear(name, candidate));
  if (near) {
    throw new SentinelError(
      "unknown_argument",
      `There is no argument "${name}"; there is "${near}".`,
      `Call again with "${near}". Nothing was done.`,
    );
  }
}

function readValue(type: z.ZodType, value: unknown, path: string): unknown {
  const optional = type.safeParse(undefined).success;
  if (value === null || value === undefined || (isBlank(value) && optional)) {
    return undefined;
  }
  if (Array.isArray(value) && listIn(type) === undefined) {
    if (value.length === 1) {
      return readValue(type, value[0], path);
    }
    if (path === "query" && value.every((text) => typeof text === "string")) {
      return value.join(" ");
    }
  }
  if (typeof value === "object") {
    return readInner(type, value, path);
  }
  if (type.safeParse(value).success) {
    return value;
  }
  // Some clients send a string of digits as a number, and "true" as a boolean.
  const readings = otherReadings(value, type).map((reading) => readInner(type, reading, path));
  const fitting = readings.find((reading) => type.safeParse(reading).success);
  return fitting ?? (typeof value === "string" ? readings[0] : value);
}

function readInner(type: z.ZodType, value: unknown, path: string): unknown {
  if (Array.isArray(value)) {
    return readList(type, value, path);
  }
  return readObject(type, value, path);
}

/** Reads a list's items like arguments. An item with several ids is split. */
function readList(type: z.ZodType, values: readonly unknown[], path: string): unknown {
  const list = listIn(type);
  if (list === undefined) {
    return values;
  }
  const itemType = list.element as z.ZodType;
  const items = values
    .filter((value) => value !== null)
    .map((value) => readValue(itemType, value, path));
  return itemType === ID ? items.flatMap(idsIn) : items;
}

function idsIn(item: unknown): unknown {
  if (typeof item !== "string" || !item.includes(",")) {
    return item;
  }
  const ids = item.split(",").map((id) => id.trim());
  return ids.filter(Boolean);
}

/** Reads an object's values like arguments. Other values, and objects with a rule for unknown names, are returned unchanged. */
function readObject(type: z.ZodType, value: unknown, path: string): unknown {
  const object = objectIn(type);
  if (object === undefined || isOpen(object)) {
    return value;
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const read: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    const known = nameIn(object, name);
    if (known === undefined) {
      throw onlyUnknown(`${path}.${name}`, namesIn(object, path));
    }
    const found = readValue(object.shape[known] as z.ZodType, inner, `${path}.${known}`);
    const before = read[known];
    read[known] =
      Array.isArray(before) && Array.isArray(found) ? [...before, ...found] : (found ?? before);
  }
  return read;
}

/** Finds a name in the schema, ignoring case and accepting the singular for a list. */
function nameIn(object: z.ZodObject, name: string): string | undefined {
  const lower = name.toLowerCase();
  return [name, lower, `${lower}s`, `${lower}es`].find((candidate) =>
    Object.hasOwn(object.shape, candidate),
  );
}

/** Returns other readings of a value that doesn't fit the schema: a number, a list, an object, a one-item list, a choice, a boolean. */
function otherReadings(value: unknown, type: z.ZodType): unknown[] {
  const text = String(value);
  if (/^\s*[[{]/.test(text)) {
    return [tryOr(() => JSON.parse(text), text)];
  }
  const number = /^\s*[+-]?\d+\s*$/.test(text) ? [Number(text)] : [];
  const object =
    typeof value === "string" && isOpen(objectIn(type)) && !isBlank(text) ? [{ text }] : [];
  const word = text.trim().toLowerCase();
  const flag = word === "true" || word === "false" ? [word === "true"] : [];
  return [...number, ...flag, word, [text.trim()], ...object];
}

const isBlank = (value: unknown): boolean => typeof value === "string" && value.trim() === "";

/** Whether a name is another spelling (askNextTime), has at least half of the words (ask_next), or is a typo (lessson). */
function isNear(name: string, known: string): boolean {
  const [a, b] = [name, known].map((text) => text.toLowerCase().replaceAll(/[^a-z]/g, "")) as [
    string,
    string,
  ];
  if (a === b) {
    return true;
  }
  const [shorter, longer] = [Math.min(a.length, b.length), Math.max(a.length, b.length)];
  const [words, knownWords] = [inWords(name), inWords(known)];
  const isPart = words.includes(knownWords) || knownWords.includes(words);
  if (shorter >= 4 && shorter * 2 >= longer && isPart) {
    return true;
  }
  // Allows two swapped letters, or one wrong letter in four.
  const sameLetters = [...a].sort().join() === [...b].sort().join();
  return distance(a, b) <= Math.min(2, sameLetters ? longer : longer / 4);
}

/** Adds an underscore before and after each word. */
const inWords = (name: string): string =>
  `_${name.replaceAll(/(?<=[a-z])(?=[A-Z])|[^A-Za-z]+/g, "_").toLowerCase()}_`;

function onlyUnknown(name: string, names: readonly string[]): SentinelError {
  return new SentinelError(
    "unknown_argument",
    `There is no argument "${name.slice(0, 40)}"; there are ${names.join(", ")}.`,
    "Call again with one of these. Nothing was done.",
  );
}

type Issue = z.core.$ZodIssue;

/** Reads a value with a schema. @param noun for a field, in errors. @throws SentinelError `bad_argument`, which contains the names of fields but no values. */
export function readAs<Schema extends z.ZodObject>(
  schema: Schema,
  value: unknown,
  noun = "field",
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) {
    return result.data;
  }
  const { issues } = result.error;
  const missing = issues.filter(({ path: [name] }) => isMissing(value, name)).map(pathOf);
  if (missing.length === 0) {
    throw unusable(schema, issues[0] as Issue, noun);
  }
  const names = missing.join(", ");
  const what = missing.length === 1 ? `The ${noun} ${names} is` : `The ${noun}s ${names} are`;
  throw new SentinelError("bad_argument", `${what} missing.`, `Call again with ${names}.`);
}

const isMissing = (value: unknown, name: PropertyKey | undefined): boolean =>
  name !== undefined && Object(value)[name] === undefined;

function unusable(schema: z.ZodObject, issue: Issue, noun: string): SentinelError {
  const isWhole = issue.path.length === 0;
  const where = isWhole ? "The body" : `The ${noun} ${pathOf(issue)}`;
  let why = `cannot be used: ${expected(schema, issue)}`;
  let fix = "Correct it, then call again.";
  if (issue.code === "unrecognized_keys") {
    why = "has a field that is not known here";
    const known = Object.keys(schema.shape);
    if (isWhole && known.length > 0) {
      fix = `It takes ${known.join(", ")}. ${fix}`;
    }
  }
  return new SentinelError("bad_argument", `${where} ${why}.`, fix);
}

function expected({ shape }: z.ZodObject, { path, message }: Issue): string {
  const name = String(path[0]);
  const object = path.length === 1 ? objectIn(shape[name] as z.ZodType) : undefined;
  if (object === undefined || isOpen(object)) {
    return message.replace("Invalid input: ", "");
  }
  return `expected an object of ${namesIn(object, name).join(" and ")}`;
}

const pathOf = ({ path }: Issue): string => path.join(".");

function listIn(type: z.ZodType): z.ZodArray | undefined {
  return choicesOf(type).find((choice) => choice instanceof z.ZodArray);
}

function objectIn(type: z.ZodType): z.ZodObject | undefined {
  return choicesOf(type).find((choice) => choice instanceof z.ZodObject);
}

/** Whether the object accepts fields that its schema doesn't list. */
const isOpen = (object: z.ZodObject | undefined): boolean => object?.def.catchall !== undefined;

function choicesOf(type: z.ZodType): z.ZodType[] {
  if (type instanceof z.ZodOptional) {
    return choicesOf(type.unwrap() as z.ZodType);
  }
  return type instanceof z.ZodUnion
    ? type.options.flatMap((option) => choicesOf(option as z.ZodType))
    : [type];
}

function namesIn(object: z.ZodObject, path: string): string[] {
  return Object.keys(object.shape).map((name) => `${path}.${name}`);
}
