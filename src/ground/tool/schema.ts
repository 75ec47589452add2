/** Reads values with zod schemas, and converts zod's issues to our errors. */
import * as z from "zod";
import { SentinelError } from "../core/errors.ts";

type Issue = z.core.$ZodIssue;

/** Reads a value with a schema. @param noun for a field, in errors. @throws SentinelError `bad_argument`, which names fields but quotes no values. */
export function readAs<Schema extends z.ZodObject>(
  schema: Schema,
  value: unknown,
  noun = "field",
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { issues } = result.error;
  const missing = issues.filter(({ path: [name] }) => isMissing(value, name)).map(pathOf);
  if (missing.length === 0) throw unusable(schema, issues[0] as Issue, noun);
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
    if (isWhole && known.length > 0) fix = `It takes ${known.join(", ")}. ${fix}`;
  }
  return new SentinelError("bad_argument", `${where} ${why}.`, fix);
}

function expected({ shape }: z.ZodObject, { path, message }: Issue): string {
  const name = String(path[0]);
  const object = objectIn(shape[name] as z.ZodType);
  if (object === undefined || isOpen(object)) return message.replace("Invalid input: ", "");
  return `expected an object of ${namesIn(object, name).join(" and ")}`;
}

const pathOf = ({ path }: Issue): string => path.join(".");

export function listIn(type: z.ZodType): z.ZodArray | undefined {
  return choicesOf(type).find((choice) => choice instanceof z.ZodArray);
}

export function objectIn(type: z.ZodType): z.ZodObject | undefined {
  return choicesOf(type).find((choice) => choice instanceof z.ZodObject);
}

/** Whether the object accepts fields that its schema doesn't list. */
export const isOpen = (object: z.ZodObject | undefined): boolean =>
  object?.def.catchall !== undefined;

function choicesOf(type: z.ZodType): z.ZodType[] {
  if (type instanceof z.ZodOptional) return choicesOf(type.unwrap() as z.ZodType);
  return type instanceof z.ZodUnion
    ? type.options.flatMap((option) => choicesOf(option as z.ZodType))
    : [type];
}

export function namesIn(object: z.ZodObject, path: string): string[] {
  return Object.keys(object.shape).map((name) => `${path}.${name}`);
}
