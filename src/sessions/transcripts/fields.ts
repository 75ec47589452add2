/** Reads the parsed JSON of a transcript leniently: any field may be missing, or of another type. */
import { tryOr } from "../../ground/core/errors.ts";
import type { Fields } from "./transcript.ts";

/** The fields of an object; none of anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

/** The items of a list; none of anything else. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The fields of an object that a text holds as JSON; none of anything else. */
export const jsonIn = (text: string): Fields => tryOr(() => fieldsOf(JSON.parse(text)), {});

/** The parts of what a message says; a text alone stands for one. */
export function partsOf(content: unknown): Fields[] {
  return typeof content === "string"
    ? [{ type: "text", text: content }]
    : [content ?? []].flat().map(fieldsOf);
}

/** The texts of the parts of a message. */
export const textsOf = (parts: readonly Fields[]): string[] =>
  parts.flatMap(({ text }) => textOf(text) ?? []);

/** A text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A number; undefined for anything else. */
export const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" ? value : undefined;

/** What is left of an object's type without the keys that have no value. */
type Known<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** An object without the keys that have no value. */
export function known<const T extends object>(fields: T): Known<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Known<T>;
}
