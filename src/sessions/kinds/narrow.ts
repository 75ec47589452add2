/** Validates stored content against the fields of its kind. Pure. */
import { COMMON, type Content, type FieldType, type Json } from "./kind.ts";
import { KINDS, kindNamed, type Said } from "./kinds.ts";

const TYPES = new Map<string, ReadonlyMap<string, FieldType>>(
  KINDS.map((kind) => [kind, new Map(Object.entries({ ...COMMON, ...kindNamed(kind)?.fields }))]),
);
/** The key for invalid fields, where purges and readers still find them. */
const MISFITS = "misfits";

/** The event with typed content. Fields of the wrong type move to `misfits`. Hot path: runs for every line. */
export function narrowed<E extends { readonly kind: string; readonly content: Content }>(
  event: E,
): E & Said {
  const types = TYPES.get(event.kind);
  const content = types ? fitting(event.content, types) : event.content;
  return (content === event.content ? event : { ...event, content }) as E & Said;
}

function fitting(content: Content, types: ReadonlyMap<string, FieldType>): Content {
  for (const name in content)
    if (isMisfit(types.get(name), content[name])) return setApart(content, types);
  return content;
}

function setApart(content: Content, types: ReadonlyMap<string, FieldType>): Content {
  const isApart = ([name, value]: [string, Json | undefined]) =>
    name === MISFITS || isMisfit(types.get(name), value);
  const fields = Object.entries(content);
  const fit = fields.filter((field) => !isApart(field));
  return { ...Object.fromEntries(fit), [MISFITS]: Object.fromEntries(fields.filter(isApart)) };
}

const isText = (value: Json): boolean => typeof value === "string";
const areTexts = (value: Json): boolean =>
  isText(value) || (Array.isArray(value) && value.every(isText));

const FITS: Readonly<Record<FieldType, (value: Json) => boolean>> = {
  json: () => true,
  flag: (value) => typeof value === "boolean",
  number: (value) => typeof value === "number",
  text: isText,
  id: isText,
  texts: areTexts,
  ids: areTexts,
};

const isMisfit = (type: FieldType | undefined, value: Json = null): boolean =>
  type !== undefined && !FITS[type](value);
