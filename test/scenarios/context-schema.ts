/** What a scenario may say of the active context: what happened in earlier sessions, bundles of it, and time that goes by. */
import * as z from "zod";
import { INTENTS } from "../../src/sessions/bundle/bundle.ts";
import { CHANNELS, KINDS, SENSITIVITIES } from "../../src/sessions/kinds/event.ts";
import { name, texts } from "./expectations.ts";

export const PRINCIPLES = [
  "what was recorded is never rewritten",
  "what is derived can be made again",
  "a bundle has a budget and can be tested",
  "decisions and summaries name their sources",
  "nothing is shown to those it is not for",
  "people can read and edit what they decide",
  "the same input gives the same bundle",
] as const;

const age = z
  .string()
  .regex(/^\d+(?:\.\d+)?[smhd]$/, 'an age is a number and a unit, such as "14d"');

/** An event of an earlier session, appended by a real store. */
const event = z.strictObject({
  /** Who says or does it. */
  by: z.enum(["human", "agent", "tool"]).default("agent"),
  /** The text of a message. */
  says: z.string().optional(),
  kind: z.enum(KINDS).default("message"),
  content: z.record(z.string(), z.json()).default({}),
  ago: age.default("1h"),
  session: z.string().default("earlier-session"),
  channel: z.enum(CHANNELS).optional(),
  sensitivity: z.enum(SENSITIVITIES).optional(),
  refs: z.array(z.string()).optional(),
  origin: z.string().optional(),
  /** From then on {{name}} is its id, and {{name_tail}} what the short id has of it. */
  id: name.optional(),
});

/** Messages about many other things, in three languages, evenly over a time. */
const chatter = z.strictObject({
  chatter: z.int().positive(),
  from: age,
  to: age,
  sessions: z.int().positive().default(1),
  /** Every so many messages are decisions instead. */
  decision_every: z.int().positive().optional(),
  /** What each of them says, too. */
  saying: z.string().default(""),
  /** Which sort of chatter: of another number, other texts. */
  seed: z.int().default(1),
});

export const happened = z.strictObject({ happened: z.array(z.union([chatter, event])).min(1) });

/** A bundle, from the command line as JSON and from a server as a model reads it. */
export const bundle = z.strictObject({
  /** The query. */
  bundle: z.string(),
  intent: z.enum(INTENTS).optional(),
  channel: z.enum(CHANNELS).default("private"),
  max_tokens: z.int().default(4_000),
  /** The session that asks; without, one that has just begun. */
  session: z.string().default("asking-session"),
  handoff: z.string().optional(),
});

/** So much time goes by; processes that are started from then on have it. */
export const later = z.strictObject({ later: age });

const aboutEvents = {
  kind: z.enum(KINDS).optional(),
  contains: texts.optional(),
  /** Ids that it refers to, among others. */
  refs: texts.optional(),
};

export const eventAssertions = {
  /** At least one event of the lesson is like this. */
  event_exists: z.strictObject({ event_exists: z.strictObject(aboutEvents) }),
  no_event: z.strictObject({ no_event: z.strictObject(aboutEvents) }),
  /** In no file below the home folder, packed ones included. */
  nowhere_on_disk: z.strictObject({ nowhere_on_disk: texts }),
};

export type HappenedStep = z.output<typeof happened>;
export type BundleStep = z.output<typeof bundle>;
export type EventLike = z.output<(typeof eventAssertions)["event_exists"]>["event_exists"];
