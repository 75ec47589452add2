/**
 * Random memory files, made of few names and few instants so that everything collides with everything: versions of one
 * record, ids that two texts share, summaries of summaries, tombstones, hand edits, and lines that are no lessons.
 */
import fc from "fast-check";
import {
  type Lesson,
  lessonId,
  type Meta,
  type Version,
  writeVersion,
} from "../../src/lessons/format/lesson.ts";

const HOUR = 3_600_000;
export const NOON = Date.UTC(2026, 5, 1, 12);

/** "auth" + "login x" and "authl" + "ogin x" have one id, and so has the principle "auth": "login x". */
const TEXTS = [
  ["auth", "login x"],
  ["authl", "ogin x"],
  ["db", "pool size"],
  ["db", "time zone"],
  ["DB", "Pool size."],
  ["문서", "形式"],
] as const;

export type Texts = Omit<Lesson, "id" | "meta" | "when">;

export const arbitraryTexts: fc.Arbitrary<Texts> = fc
  .record({
    type: fc.constantFrom("log", "log", "principle"),
    text: fc.constantFrom(...TEXTS),
    lesson: fc.constantFrom("ask", "look", "measure"),
  })
  .map(({ type, text: [topic, text], lesson }) =>
    type === "log"
      ? { type, topic, missing_context: text, lesson }
      : { type: "principle" as const, topic, missing_context: "", lesson: text },
  );

const ids = TEXTS.flatMap(([topic, text]) => [
  lessonId({ type: "log", topic, missing_context: text, lesson: "" }),
]).concat("by-hand");
const arbitraryId = fc.constantFrom(...ids);

/** Clocks hours apart, equal instants, and now and then no readable instant at all. */
const arbitraryRevision = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .integer({ min: -3, max: 3 })
      .map((hours) => new Date(NOON + hours * HOUR).toISOString()),
  },
  { weight: 1, arbitrary: fc.constantFrom("", "yesterday", "2026-06-01T12:00:00+02:00") },
);

const arbitrarySources = fc.dictionary(arbitraryId, arbitraryRevision, { maxKeys: 3 });

/** Few words, some of them of texts, so that versions share some; now and then more than a principle keeps. */
const arbitraryCues: fc.Arbitrary<Pick<Meta, "cues">> = fc.record(
  {
    cues: fc.oneof(
      {
        weight: 5,
        arbitrary: fc.uniqueArray(fc.constantFrom("rate", "login", "pool", "db", "형식", "端口"), {
          maxLength: 3,
        }),
      },
      {
        weight: 1,
        arbitrary: fc
          .nat(9)
          .map((from) => Array.from({ length: 38 }, (_, index) => `word${from * 7 + index}`)),
      },
    ),
  },
  { requiredKeys: [] },
);

const arbitraryMeta: fc.Arbitrary<Meta> = fc.record(
  {
    created: arbitraryRevision,
    updated: arbitraryRevision,
    count: fc.integer({ min: 1, max: 3 }),
    author: fc.constantFrom("a", "b"),
  },
  { requiredKeys: ["created"] },
);

const arbitraryVersion: fc.Arbitrary<Version> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(arbitraryTexts, arbitraryMeta)
      .map(([texts, meta]) => ({ ...texts, id: lessonId(texts), meta })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(arbitraryTexts, arbitraryMeta, arbitraryId)
      .map(([texts, meta, id]) => ({ ...texts, id, meta })),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(arbitraryTexts, arbitraryMeta, arbitrarySources, arbitraryCues)
      .map(([{ topic, lesson }, meta, sources, cues]) => {
        const texts = { type: "principle" as const, topic, missing_context: "", lesson };
        const source_count = Object.keys(sources).length;
        return { ...texts, id: lessonId(texts), meta: { ...meta, source_count, sources, ...cues } };
      }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(arbitraryId, arbitraryRevision, fc.option(arbitrarySources, { nil: undefined }))
      .map(([id, created, sources]) => ({
        id,
        type: "forgotten" as const,
        meta: { created, ...(sources && { sources }) },
      })),
  },
);

/** What is kept verbatim. Starts with a letter, so that it is neither blank, nor a marker, nor a byte-order mark. */
const arbitraryForeign = fc.oneof(
  fc
    .string({ maxLength: 12 })
    .map((text) => Buffer.from(`note ${text.replaceAll(/[\r\n]/g, " ")}.`)),
  fc
    .uint8Array({ maxLength: 8 })
    .map((bytes) =>
      Buffer.from([0x78, ...bytes.filter((byte) => byte !== 10 && byte !== 13), 0xff]),
    ),
  fc.constant(
    Buffer.from('{"id":"0123456789abcdef","type":"decision","text":"from a later version"}'),
  ),
);

const arbitraryBlemish = fc
  .constantFrom("<<<<<<< HEAD", "=======", ">>>>>>> theirs", "||||||| base", "", "  ")
  .map((text) => Buffer.from(text));

/** The bytes of a file as people, editors and merges leave it. */
export const arbitraryFile: fc.Arbitrary<Buffer> = fc
  .tuple(
    fc.array(
      fc.oneof(
        {
          weight: 6,
          arbitrary: arbitraryVersion.map((version) => Buffer.from(writeVersion(version))),
        },
        { weight: 1, arbitrary: arbitraryForeign },
        { weight: 1, arbitrary: arbitraryBlemish },
      ),
      { maxLength: 9 },
    ),
    fc.constantFrom("\n", "\n", "\r\n"),
    fc.constantFrom("", "", "\ufeff"),
  )
  .map(([lines, end, mark]) =>
    Buffer.concat([Buffer.from(mark), ...lines.flatMap((line) => [line, Buffer.from(end)])]),
  );

/** Any bytes, with a leaning towards what looks like a record. */
export const arbitraryBytes: fc.Arbitrary<Buffer> = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.string({ unit: "binary", maxLength: 100 }).map((text) => Buffer.from(text)),
  fc
    .array(fc.json({ maxDepth: 3 }), { maxLength: 4 })
    .map((lines) => Buffer.from(lines.join("\n"))),
  fc
    .array(
      fc.record({
        id: fc.anything(),
        type: fc.constantFrom("log", "principle", "forgotten"),
        topic: fc.anything(),
        lesson: fc.anything(),
        meta: fc.anything(),
      }),
      { maxLength: 3 },
    )
    .map((lines) => Buffer.from(lines.map(asJson).join("\n"))),
  fc
    .tuple(arbitraryFile, fc.nat(400), fc.uint8Array({ maxLength: 3 }))
    .map(([file, at, bytes]) =>
      Buffer.concat([file.subarray(0, at), Buffer.from(bytes), file.subarray(at)]),
    ),
);

function asJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "{}";
  }
}
