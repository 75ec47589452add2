/** Reads the parsed JSON of a transcript leniently. Any field may be missing or of another type. */
import { isObject } from "../../ground/core/collections.ts";
import { parseJson } from "../../ground/core/errors.ts";
import type { Fields } from "./transcript.ts";

/** The fields of an object. Empty for anything else. */
export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

/** The items of a list. Empty for anything else. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The fields of a JSON object in a text. Empty for anything else. */
export const jsonIn = (text: string): Fields => fieldsOf(parseJson(text));

/** The parts of a message's content. A plain text is one part. */
export function partsOf(content: unknown): Fields[] {
  return typeof content === "string"
    ? [{ type: "text", text: content }]
    : [content ?? []].flat().map(fieldsOf);
}

/** The texts of the parts of a message. @param type of the parts. The default is any. */
export const textsOf = (parts: readonly Fields[], type?: string): string[] =>
  textsIn(parts.map((part) => (type === undefined || part.type === type ? part.text : undefined)));

/** The values that are texts and not empty. */
export const textsIn = (values: readonly unknown[]): string[] => values.filter(isText);

/** Undefined for anything but a text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return isText(value) ? value : undefined;
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** Undefined for anything but a number. */
export const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" ? value : undefined;
