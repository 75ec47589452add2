/** Validates stored content against the fields of its kind. Pure. */
import { COMMON, type Content, type FieldType, type Json } from "./kind.ts";
import { KINDS, kindNamed, type Said } from "./kinds.ts";

const TYPES = new Map<string, ReadonlyMap<string, FieldType>>(
  KINDS.map((kind) => [kind, new Map(Object.entries({ ...COMMON, ...kindNamed(kind)?.fields }))]),
);
/** The key for invalid fields, where purges and readers still find them. */
const MISFITS = "misfits";

type Field = [name: string, value: Json | undefined];

/** The event with typed content. Fields of the wrong type move to `misfits`. Hot path: runs for every line. */
export function narrowed<E extends { readonly kind: string; readonly content: Content }>(
  event: E,
): E & Said {
  const types = TYPES.get(event.kind);
  const isMisfit = ([name, value]: Field) => !fits(types?.get(name), value);
  const fields = Object.entries(event.content);
  if (!fields.some(isMisfit)) {
    return event as E & Said;
  }
  const isApart = (field: Field) => field[0] === MISFITS || isMisfit(field);
  const fit = Object.fromEntries(fields.filter((field) => !isApart(field)));
  const misfits = Object.fromEntries(fields.filter(isApart));
  return { ...event, content: { ...fit, [MISFITS]: misfits } } as E & Said;
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

const fits = (type: FieldType | undefined, value: Json = null): boolean =>
  type === undefined || FITS[type](value);
