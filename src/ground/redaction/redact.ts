/** The front of the redactor, pure. Detectors run from the most certain to the most careful guess; the text changes once: one secret, one mark. */

import { findAssignments } from "./assignments/assignments.ts";
import { findAnnounced } from "./detectors/announced.ts";
import { findColumns } from "./detectors/columns.ts";
import { findInHeadersAndCommands } from "./detectors/headers-and-commands.ts";
import { findKeyBlocks, findPublicBlocks } from "./detectors/key-blocks.ts";
import { findNearWords } from "./detectors/near-words.ts";
import { findPhrases } from "./detectors/phrases.ts";
import { findPrivateKeys } from "./detectors/private-keys.ts";
import { findProviderTokens } from "./detectors/provider-formats.ts";
import { findPublicValues } from "./detectors/public-values.ts";
import { findInSql } from "./detectors/sql.ts";
import { findUrlSecrets } from "./detectors/urls.ts";
import { findWebTokens } from "./detectors/web-tokens.ts";
import { findWebhooks } from "./detectors/webhooks.ts";
import { landmarksOf } from "./search/literals.ts";
import { type Detector, type Landmarks, MARK, mask, merge, type Span, touching } from "./span.ts";
import { decodedViews, inOriginal, unwrappedView } from "./views/decoded-views.ts";
import { findEncoded } from "./views/encoded.ts";
import { acrossLines } from "./views/line-breaks.ts";

/** Every detector, in the order in which they name what they find. @internal A measurement leaves one out. */
export const DETECTORS: Readonly<Record<string, Detector>> = {
  findPrivateKeys,
  findKeyBlocks,
  findWebTokens,
  findProviderTokens,
  findUrlSecrets,
  findWebhooks,
  findInHeadersAndCommands,
  findAssignments,
  findColumns,
  findInSql,
  findAnnounced,
  findPhrases,
  findNearWords,
};
const ALL = Object.values(DETECTORS);

declare const redacted: unique symbol;
/** A text that went through the redactor. Only such a text may be cut, see `long-text.ts`. */
export type RedactedText = string & { readonly [redacted]: true };

export interface Redaction {
  readonly text: RedactedText;
  /** Kinds of secrets with their counts, for a receipt; never a value. */
  readonly findings: readonly { readonly kind: string; readonly count: number }[];
}

/** Replaces every secret by `[REDACTED]`. Redacting the result again changes nothing. */
export const redact = (text: string): Redaction => redactWithin(text, 0, text.length);

/** The part of a text from `from` to `to`, redacted with its neighbours taken into account. */
export function redactWithin(
  text: string,
  from: number,
  to: number,
  detectors: readonly Detector[] = ALL,
): Redaction {
  const counts = new Map<string, number>();
  let current = text.slice(from, to);
  let spans = findSecrets(text, detectors)
    .filter(({ start, end }) => end > from && start < to)
    .map((span) => ({
      ...span,
      start: Math.max(span.start, from) - from,
      end: Math.min(span.end, to) - from,
    }));
  // a secret may show only once its neighbour is gone: look again beside the marks until nothing is found
  while (spans.length > 0) {
    for (const { kind } of spans) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    current = mask(current, spans);
    spans = findBeside(current, spans, detectors);
  }
  return {
    text: current as RedactedText,
    findings: [...counts].map(([kind, count]) => ({ kind, count })),
  };
}

/** Characters beside a mark that are looked at again, and those in which a finding counts. */
const LOOKED_AT = 600;
const COUNTED = 300;

/** Finds secrets beside the marks that now stand where `gone` stood. */
function findBeside(text: string, gone: readonly Span[], detectors: readonly Detector[]): Span[] {
  let shift = 0;
  const marks = gone.map(({ start, end, kind }) => {
    const mark = start - shift;
    shift += end - start - MARK.length;
    return { start: mark, end: mark + MARK.length, kind };
  });
  const around = (characters: number) =>
    merge(
      marks.map(({ start, end, kind }) => ({
        start: Math.max(0, start - characters),
        end: end + characters,
        kind,
      })),
    );
  const isNear = touching(around(COUNTED));
  const found: Span[] = [];
  for (const { start: from, end: to } of around(LOOKED_AT))
    for (const { start, end, kind } of findSecrets(text.slice(from, to), detectors))
      if (isNear(from + start, from + end))
        found.push({ start: from + start, end: from + end, kind });
  return merge(found);
}

function findSecrets(text: string, detectors: readonly Detector[]): Span[] {
  const landmarks = landmarksOf(text);
  const find = (inside: string) => run(detectors, inside, landmarksOf(inside));
  const spans = run(detectors, text, landmarks);
  const unwrapped = unwrappedView(text);
  if (unwrapped)
    spans.push(...acrossLines(text, spans, inOriginal(unwrapped, find(unwrapped.text))));
  for (const view of decodedViews(text)) spans.push(...inOriginal(view, find(view.text)));
  spans.push(...findEncoded(text, landmarks, find));
  if (spans.length === 0) return spans;
  const isPublic = touching(
    merge([...findPublicBlocks(text, landmarks), ...findPublicValues(text, landmarks)]),
  );
  return merge(
    spans.filter(
      ({ start, end }) =>
        end > start && !text.slice(start, end).includes("REDACTED") && !isPublic(start, end),
    ),
  );
}

function run(detectors: readonly Detector[], text: string, landmarks: Landmarks): Span[] {
  const spans: Span[] = [];
  for (const detect of detectors) {
    detect(text, landmarks, spans);
  }
  return spans;
}
