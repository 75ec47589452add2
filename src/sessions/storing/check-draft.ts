/** Refuses drafts that aren't valid events. */
import * as z from "zod";
import { isWithinLimits } from "../../ground/core/collections.ts";
import { SentinelError } from "../../ground/core/errors.ts";
import { isoInstant } from "../../ground/core/time.ts";
import { readAs } from "../../ground/tool/arguments.ts";
import {
  ACTOR_TYPES,
  CHANNELS,
  type EventDraft,
  KINDS,
  readEventId,
  SENSITIVITIES,
} from "../kinds/event.ts";

/** The most characters of a name, tag, reference, origin or path. Only content is cut. */
const LONGEST_NAME = 4_096;
const MOST_NAMES = 1_000;
/** Deeper than any tool nests, and far below the limit of JSON. */
const DEEPEST = 500;
const ISO = /^\d{4}-\d\d-\d\d(?:T|$)/;
/** The times that fit into an id and a file's name. */
const EARLIEST = 0;
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");

const name = z.string().min(1).max(LONGEST_NAME);
const names = z.array(name).max(MOST_NAMES);
const text = z.string();
const SHARE = "expected a number between 0 and 1";
const share = z.number(SHARE).min(0, SHARE).max(1, SHARE);
const DRAFT = z.looseObject({
  kind: z.enum(KINDS),
  channel: z.enum(CHANNELS).nullish(),
  sensitivity: z.enum(SENSITIVITIES).nullish(),
  actor: z.looseObject({ type: z.enum(ACTOR_TYPES), id: name }),
  session: name,
  agent: name,
  origin: name.optional(),
  key: name.optional(),
  id: text.refine(readEventId, "expected the id of an event").optional(),
  refs: names.nullish(),
  tags: names.nullish(),
  place: z.record(text, name.optional()).optional(),
  content: z
    .looseObject({ confidence: share.nullish() })
    .refine(
      (content) => isWithinLimits(content, DEEPEST, Number.POSITIVE_INFINITY),
      `expected no more than ${DEEPEST} levels`,
    ),
});
const MESSAGE = z.looseObject({
  citations: z.union([text, z.array(text)], "expected a text or a list of texts").nullish(),
});

/** @throws SentinelError `bad_argument`, naming the field. */
export function checkDraft(draft: EventDraft): void {
  readAs(DRAFT, draft);
  if (draft.kind === "message") {
    readAs(MESSAGE, draft.content);
  }
  if (draft.ts !== undefined) {
    readTime("ts", draft.ts);
  }
}

/** Ms since 1970 of an instant in ISO 8601. @throws SentinelError `bad_argument`, naming the field. */
export function readTime(field: string, text: string): number {
  const time = ISO.test(text) ? isoInstant(text) : Number.NaN;
  if (time >= EARLIEST && time <= LATEST) {
    return time;
  }
  throw new SentinelError(
    "bad_argument",
    `${field} is not a time between 1970 and 9999 in ISO 8601.`,
    "Correct it, then call again.",
  );
}
