/** The door for what is read: a content has the fields of its kind, or does not pass as one. Pure. */
import { COMMON, type Content, type FieldType, type Json } from "./kind.ts";
import { KINDS, kindNamed, type Said } from "./kinds.ts";

const FITS: Readonly<Record<FieldType, (value: Json | undefined) => boolean>> = {
  text: isText,
  id: isText,
  texts: areTexts,
  ids: areTexts,
  flag: (value) => typeof value === "boolean",
  number: (value) => typeof value === "number",
  json: () => true,
};
const TYPES = new Map<string, ReadonlyMap<string, FieldType>>(
  KINDS.map((kind) => [kind, new Map(Object.entries({ ...COMMON, ...kindNamed(kind)?.fields }))]),
);
/** Where a purge and a reader still find what did not pass. */
const MISFITS = "misfits";

/**
 * The event with the content of its kind. A field of another type than its kind says stands apart under `misfits`, so that it counts as
 * missing and nothing of it is lost. Every line that is read comes through here: most cost a look at each field.
 */
export function narrowed<E extends { readonly kind: string; readonly content: Content }>(event: E): E & Said {
  const types = TYPES.get(event.kind);
  const content = types ? fitting(event.content, types) : event.content;
  return (content === event.content ? event : { ...event, content }) as E & Said;
}

function fitting(content: Content, types: ReadonlyMap<string, FieldType>): Content {
  const isMisfit = (name: string): boolean => {
    const type = types.get(name);
    return type !== undefined && !FITS[type](content[name]);
  };
  const names = Object.keys(content);
  if (!names.some(isMisfit)) return content;
  const isApart = (name: string) => name === MISFITS || isMisfit(name);
  const pick = (wanted: readonly string[]) => Object.fromEntries(wanted.map((name) => [name, content[name] as Json]));
  return { ...pick(names.filter((name) => !isApart(name))), [MISFITS]: pick(names.filter(isApart)) };
}

function isText(value: Json | undefined): boolean {
  return typeof value === "string";
}

function areTexts(value: Json | undefined): boolean {
  return isText(value) || (Array.isArray(value) && value.every(isText));
}
