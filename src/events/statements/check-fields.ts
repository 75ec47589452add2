/** Which fields a statement has, and whether each can be stored. Pure. */
import { namesPrivateSession } from "../../redaction/private.ts";
import type { Actor, Content, Json, Kind } from "../event.ts";
import { textsIn } from "../kinds/kind.ts";
import { TASK_STATUSES } from "../kinds/task-update.ts";
import { capital, refused } from "./refused.ts";
import { type Fields, FORMS, LISTS, OUTCOMES, PERSONS_PIN, SCOPES, type Statement } from "./statement.ts";

/** In what a tool got or printed the tag may be any text. */
const OF_TOOLS: readonly Kind[] = ["tool_call", "tool_result"];

/** The ledger keeps no more of a list. */
const MOST_ITEMS = 20;

/**
 * The fields that say something, as content.
 *
 * @throws SentinelError `bad_argument`: what is missing, unknown, of the wrong type or out of range; and a text that
 *   wants its session left out, which has to be the person's to do.
 */
export function fieldsOf({ kind, fields }: Pick<Statement, "kind" | "fields">, by: Actor): Content {
  const { name, needs, may } = kind === "pin" && by.type === "human" ? PERSONS_PIN : FORMS[kind];
  const content = said(fields);
  const strange = Object.keys(content).filter((field) => ![...needs, ...may].includes(field));
  if (strange.length > 0)
    throw refused(`${capital(name)} has no ${strange.join(", ")}.`, `Its content is ${known([...needs, ...may])}.`);
  const missing = needs.filter((field) => content[field] === undefined).join(" and ");
  if (missing !== "") throw refused(`${capital(name)} needs ${missing}.`, `Add ${missing} to content.`);
  const wished = Object.entries(content).find(
    ([, value]) => !OF_TOOLS.includes(kind) && textsIn(value).some(namesPrivateSession),
  );
  if (wished) throw leftOutByWish(wished[0]);
  if (kind === "decision") mustBeOneOf("scope", content.scope, SCOPES);
  if (kind === "tool_result") mustBeOneOf("outcome", content.outcome, OUTCOMES);
  if (kind === "task_update") mustBeOneOf("status", content.status, TASK_STATUSES);
  return content;
}

function leftOutByWish(field: string) {
  return refused(
    `${field} holds the tag <private-session>, which leaves a session out only as the first line of its first request.`,
    "If the user wants that for this session, record nothing more in it, and name them the command: sentinel-memory record skip. If the tag is only mentioned, put it between backticks.",
  );
}

function known(fields: readonly string[]): string {
  return fields.map((field) => (field === "ref" ? "ref (the id of what is recorded)" : field)).join(", ");
}

/** Without what is blank. */
function said(fields: Fields): Content {
  const content: Record<string, Json> = {};
  for (const [name, value] of Object.entries(fields)) {
    const told = read(name, value);
    if (told !== undefined) content[name] = told;
  }
  return content;
}

/** A text alone is a list of one, and a number may stand as text. */
function read(name: string, value: unknown): Json | undefined {
  if (value === null || value === undefined || value === "") return undefined;
  if (name === "confidence") return share(value);
  const texts = [value].flat().map((item) => (typeof item === "number" ? String(item) : item));
  const isList = LISTS.includes(name);
  if (!texts.every((item) => typeof item === "string") || (!isList && texts.length !== 1))
    throw refused(`${name} is not a ${isList ? "list of texts" : "text"}.`, "Correct it.");
  if (texts.length > MOST_ITEMS)
    throw refused(`${name} has ${texts.length} items.`, `Give at most ${MOST_ITEMS}, those that count.`);
  const told = texts.filter((text) => text.trim() !== "");
  return isList && told.length > 0 ? told : told[0];
}

function share(value: unknown): number {
  const number = Number(value);
  if (number >= 0 && number <= 1) return number;
  throw refused("confidence is not a number between 0 and 1.", "Give one like 0.7, or leave it out.");
}

function mustBeOneOf(name: string, value: unknown, values: readonly string[]): void {
  if (value !== undefined && !values.includes(String(value)))
    throw refused(`${name} is not one of ${values.join(", ")}.`, "Give one of these.");
}
