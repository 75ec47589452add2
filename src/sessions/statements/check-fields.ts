import { namesPrivateSession } from "../../ground/redaction/private.ts";
import type { Actor, Content, Json } from "../kinds/event.ts";
import { type FieldType, textsIn } from "../kinds/kind.ts";
import { statedKind } from "../kinds/kinds.ts";
import { type Fields, refused, type Statement } from "./statement.ts";

/** The ledger keeps at most this many items of a list. */
const MOST_ITEMS = 20;

/**
 * Validates and normalizes the fields of a statement. @throws SentinelError `bad_argument` for missing, unknown or invalid fields, and for
 * a private-session tag.
 */
export function fieldsOf({ kind, fields }: Pick<Statement, "kind" | "fields">, by: Actor): Content {
  const { form, fields: types, isOfTools } = statedKind(kind);
  const { needs, may } = (by.type === "human" && form.byPerson) || form;
  const all = [...needs, ...may];
  const content = said(fields, new Map(all.map((field) => [field, types[field]])));
  const strange = Object.keys(content).filter((field) => !all.includes(field));
  if (strange.length > 0)
    throw refused(`${form.name} has no ${strange.join(", ")}.`, `Its content is ${known(all)}.`);
  const missing = needs.filter((field) => content[field] === undefined).join(" and ");
  if (missing !== "") throw refused(`${form.name} needs ${missing}.`, `Add ${missing} to content.`);
  const wished = Object.entries(content).find(
    ([, value]) => !isOfTools && textsIn(value).some(namesPrivateSession),
  );
  if (wished)
    throw refused(
      `${wished[0]} holds the tag <private-session>, which leaves a session out only as the first line of its first request.`,
      "If the user wants that for this session, record nothing more in it, and name them the command: sentinel-memory sessions skip. If the tag is only mentioned, put it between backticks.",
    );
  for (const [field, values = []] of Object.entries(form.oneOf ?? {}))
    mustBeOneOf(field, content[field], values);
  return content;
}

function known(fields: readonly string[]): string {
  return fields.map((field) => (field === "ref" ? "ref (the id of an event)" : field)).join(", ");
}

/** Drops blank fields. Unknown fields are read as texts and rejected later. */
function said(fields: Fields, types: ReadonlyMap<string, FieldType | undefined>): Content {
  const content: Record<string, Json> = {};
  for (const [name, value] of Object.entries(fields)) {
    const told = read(name, value, types.get(name) ?? "texts");
    if (told !== undefined) content[name] = told;
  }
  return content;
}

/** Accepts a single text as a list, and numbers as texts. An empty list of ids removes earlier ones. */
function read(name: string, value: unknown, type: FieldType): Json | undefined {
  if (value === null || value === undefined || value === "") return undefined;
  if (type === "number") return share(name, value);
  if (type === "flag") return flag(name, value);
  if (type === "json") return lines(name, value);
  const given = [value].flat().map((item) => (typeof item === "number" ? String(item) : item));
  const texts = type === "ids" ? given.flatMap(idsIn) : given;
  const isList = type === "texts" || type === "ids";
  if (!texts.every((item) => typeof item === "string") || (!isList && texts.length !== 1))
    throw refused(`${name} is not a ${isList ? "list of texts" : "text"}.`, "Correct it.");
  if (texts.length > MOST_ITEMS)
    throw refused(
      `${name} has ${texts.length} items.`,
      `Give at most ${MOST_ITEMS}, those that count.`,
    );
  const told = texts.filter((text) => text.trim() !== "");
  const isSaid = told.length > 0 || (type === "ids" && texts.length === 0);
  return isList && isSaid ? told : told[0];
}

/** Some clients send a list of ids as one comma-separated text. */
const idsIn = (item: unknown): unknown =>
  typeof item === "string" && item.includes(",") ? item.split(",").map((id) => id.trim()) : item;

function share(name: string, value: unknown): number {
  const number = Number(value);
  if (number >= 0 && number <= 1) return number;
  throw refused(`${name} is not a number between 0 and 1.`, "Give one like 0.7, or leave it out.");
}

function flag(name: string, value: unknown): boolean {
  if (typeof value === "boolean") return value;
  if (value === "true" || value === "false") return value === "true";
  throw refused(`${name} is not true or false.`, "Give one of these, or leave it out.");
}

/** Reads a range of lines, the only stated field of type `json`. */
function lines(name: string, value: unknown): Json {
  const isRange =
    Array.isArray(value) && value.length === 2 && value.every((line) => Number.isSafeInteger(line));
  if (isRange && value[0] >= 0 && value[0] <= value[1]) return value;
  throw refused(
    `${name} is not a range of lines.`,
    "Give the first and the last line, like [1, 120], or leave it out.",
  );
}

function mustBeOneOf(name: string, value: unknown, values: readonly string[]): void {
  if (value !== undefined && !values.includes(String(value)))
    throw refused(`${name} is not one of ${values.join(", ")}.`, "Give one of these.");
}
