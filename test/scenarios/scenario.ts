/**
 * What a scenario file may say. Strict on purpose: a misspelt expectation that is ignored is an expectation that always holds.
 */
import * as z from "zod";
import { bundle, eventAssertions, happened, later, PRINCIPLES } from "./context-schema.ts";
import {
  answerExpectation,
  bundleExpectation,
  exitExpectation,
  name,
  textExpectation,
  texts,
} from "./expectations.ts";
import { oneVerbOf } from "./one-verb.ts";

const seconds = z.number().positive().max(30);

const who = { as: name.default("agent") };
const heard = {
  expect: answerExpectation.optional(),
  capture: z.record(name, z.string()).optional(),
};
const place = {
  /** Arguments of the bin. */
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  /** Working directory: relative to the project, or `~` and below. */
  cwd: z.string().optional(),
};

const fields = z.record(z.string(), z.unknown());
const file = z.string().default(".context/memory_log.jsonl");

const assertion = oneVerbOf({
  /** How many records the memory file holds. */
  records: z.strictObject({ records: z.int().min(0), file }),
  /** One record, and only one, has these fields. */
  record: z.strictObject({ record: fields, file }),
  no_record: z.strictObject({ no_record: fields, file }),
  text_of: z.strictObject({
    text_of: z.string(),
    ...textExpectation.shape,
    lines: texts.optional(),
  }),
  exists: z.strictObject({ exists: texts }),
  absent: z.strictObject({ absent: texts }),
  ...eventAssertions,
});

const call = z.strictObject({ call: z.string(), with: fields.default({}), ...who, ...heard });

const step = oneVerbOf({
  call,
  list: z.strictObject({ list: z.enum(["tools", "prompts", "instructions"]), ...who, ...heard }),
  prompt: z.strictObject({
    prompt: z.string(),
    with: z.record(z.string(), z.string()).default({}),
    ...who,
    ...heard,
  }),
  connect: z.strictObject({
    connect: name,
    client: z.string().optional(),
    ...place,
  }),
  restart: z.strictObject({ restart: name }),
  write: z.strictObject({ write: z.string(), text: z.string() }),
  append: z.strictObject({ append: z.string(), text: z.string() }),
  /** A file, or a folder with everything in it. */
  remove: z.strictObject({ remove: z.string() }),
  git: z.strictObject({
    git: texts,
    in: z.string().default("."),
    expect: exitExpectation.optional(),
  }),
  /** The bin as a command, until it exits. */
  run: z.strictObject({
    run: z.array(z.string()),
    stdin: z.string().default(""),
    ...place,
    expect: exitExpectation.optional(),
  }),
  /** Lines on the server's own standard input, below the protocol library; objects are sent as JSON. */
  exchange: z.strictObject({
    exchange: z.array(z.union([z.string(), fields])),
    /** Ids that must be answered before the end. */
    wait_for: z.array(z.int()).default([]),
    ending: z.enum(["end input", "SIGTERM", "SIGINT"]).default("end input"),
    ...place,
    expect: exitExpectation
      .extend({
        within: seconds.default(10),
        answers: z.record(z.string(), textExpectation).default({}),
        unanswered: z.array(z.int()).default([]),
      })
      .prefault({}),
  }),
  check: z.strictObject({ check: z.array(assertion).min(1) }),
  happened,
  bundle: bundle.extend({ ...who, expect: bundleExpectation.prefault({}), capture: heard.capture }),
  later,
});

const rows = z
  .array(z.record(name, z.string()))
  .min(1)
  .refine(
    (all) => new Set(all.map((row) => Object.keys(row).join())).size === 1,
    "every row has the same columns",
  );

export const scenarioSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  /** The heading of a page in docs/design that the story stands for, and what it shows: `docs/design/lessons.md, "Writing" - …`. */
  proves: z.string(),
  /** Those of the active context that it shows. */
  principles: z.array(z.enum(PRINCIPLES)).default([]),
  /** Whether it takes too long for every run of the tests. */
  long: z.boolean().default(false),
  setup: z
    .strictObject({
      /** The project's folder, in the home folder. */
      project: z.string().default("project"),
      git: z.boolean().default(false),
      /** Whether its sessions are recorded, as if they always had been. The clock then stands at an instant that is the same in every run. */
      recorded: z.boolean().default(false),
      files: z.record(z.string(), z.string()).default({}),
      client: z.string().default("scenario"),
      ...place,
    })
    .prefault({}),
  /** The story runs once for each row, with {{column}} for its values; the first column names the row. */
  for: rows.default([{}]),
  /** Texts made at run time: long ones, and secrets, which must not stand in a repository. Used as {{name}}. */
  make: z
    .record(
      name,
      z.union([
        z.strictObject({ repeat: z.string().min(1), bytes: z.int().positive() }),
        /** A line for each number from 1, for which <n> stands. */
        z.strictObject({ lines: z.int().positive(), of: z.string() }),
        z.strictObject({
          secret: z.enum(["github", "stripe", "openai", "jwt", "private_key", "password"]),
        }),
      ]),
    )
    .default({}),
  steps: z.array(step).min(1),
  assertions: z.array(assertion).default([]),
});

export type Scenario = z.output<typeof scenarioSchema>;
export type Step = z.output<typeof step>;
export type CallStep = z.output<typeof call>;
export type Assertion = z.output<typeof assertion>;
export type Place = Pick<Scenario["setup"], keyof typeof place>;
export type Row = Scenario["for"][number];
export type Recipe = Scenario["make"][string];
