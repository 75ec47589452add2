/** What a scenario may expect of a text, an answer, a process, a bundle. Strict, like all of a scenario. */
import * as z from "zod";

export const texts = z
  .union([z.string(), z.array(z.string()).min(1)])
  .transform((value) => [value].flat());
export const name = z.string().regex(/^\w+$/, "a name is letters, digits and underscores");

/** What is expected of one text. */
export const textExpectation = z.strictObject({
  contains: texts.optional(),
  lacks: texts.optional(),
  /** Regular expressions, `m` and `u`. */
  matches: texts.optional(),
  /** Texts that follow one another. */
  order: z.array(z.string()).min(2).optional(),
  /** How often a text occurs. */
  times: z.record(z.string(), z.int().min(0)).optional(),
  bytes: z.int().optional(),
  most_bytes: z.int().optional(),
  most_characters: z.int().optional(),
});

/** A tool's answer: a success, unless an error is expected by its code. */
export const answerExpectation = textExpectation.extend({ error: z.string().optional() });

/** What is expected of a process that has ended. */
export const exitExpectation = z.strictObject({
  exit: z.int().default(0),
  stdout: textExpectation.optional(),
  stderr: textExpectation.optional(),
});

const section = textExpectation.extend({
  items: z.int().optional(),
  most_items: z.int().optional(),
  /** A regular expression that every item matches; one that is there, at least. */
  each: z.string().optional(),
});

/**
 * What is expected of a bundle, beside what holds for all of them (`bundle-step.ts`). `contains` and `lacks` go for what a model reads, and
 * for every field of the JSON.
 */
export const bundleExpectation = textExpectation.extend({
  /** By name; one that is absent is an empty text. */
  sections: z.record(z.string(), section).default({}),
  most_tokens: z.int().optional(),
  /** Parts of the lesson that were candidates. */
  most_pool: z.int().optional(),
  most_bytes_read: z.int().optional(),
  /** How many were left out, at least, by reason. */
  omitted: z.record(z.string(), z.int().min(0)).default({}),
  /** A summary's figure, and that of the event which counts. */
  conflict: z.strictObject({ says: z.string(), against: z.string() }).optional(),
  /** How many said what another one says. */
  least_folded: z.int().optional(),
});

export type TextExpectation = z.output<typeof textExpectation>;
export type AnswerExpectation = z.output<typeof answerExpectation>;
export type ExitExpectation = z.output<typeof exitExpectation>;
export type BundleExpectation = z.output<typeof bundleExpectation>;
export type SectionExpectation = z.output<typeof section>;
