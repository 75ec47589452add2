/** Redacts secrets. Detectors run from the most certain to the most careful guess, and the text changes once: one secret, one mark. */
import { findAssignments } from "./assignments/assignments.ts";
import { findAnnounced } from "./detectors/announced.ts";
import { findColumns } from "./detectors/columns.ts";
import { findInCommands, findInHeaders, findWebTokens } from "./detectors/commands.ts";
import { findKeyBlocks, findPublicBlocks } from "./detectors/key-blocks.ts";
import { findNearWords } from "./detectors/near-words.ts";
import { findPhrases } from "./detectors/phrases.ts";
import { findPrivateKeys } from "./detectors/private-keys.ts";
import { findProviderTokens } from "./detectors/provider-formats.ts";
import { findPublicValues } from "./detectors/public-values.ts";
import { findInSql } from "./detectors/sql.ts";
import { findUrlSecrets, findWebhooks } from "./detectors/urls.ts";
import { landmarksOf } from "./search.ts";
import {
  type Detector,
  type Landmarks,
  MARK,
  MARKS,
  mask,
  matchesIn,
  merge,
  type Span,
  touching,
} from "./span.ts";
import { acrossLines, decodedViews, findEncoded, inOriginal, unwrappedView } from "./views.ts";

/** All detectors. If spans overlap, the one that starts first names the kind. At the same start, the earlier detector does. */
const DETECTORS: Readonly<Record<string, Detector>> = {
  findPrivateKeys,
  findKeyBlocks,
  findWebTokens,
  findProviderTokens,
  findUrlSecrets,
  findWebhooks,
  findInHeaders,
  findInCommands,
  findAssignments,
  findColumns,
  findInSql,
  findAnnounced,
  findPhrases,
  findNearWords,
};
const ALL = Object.values(DETECTORS);

declare const redacted: unique symbol;
/** A text from the redactor. Only such a text may be cut, see `cut-redacted.ts`. */
export type RedactedText = string & { readonly [redacted]: true };

export interface Redaction {
  readonly text: RedactedText;
  /** Kinds of secrets with their counts, for a receipt. Contains no values. */
  readonly findings: readonly { readonly kind: string; readonly count: number }[];
}

/** Replaces every secret with `[REDACTED]`. Redacting the result again changes nothing. */
export const redact = (text: string): Redaction => redactWithin(text, 0, text.length);

/** The most rounds of a search. Only a text made for it needs more than three. */
const MOST_ROUNDS = 20;

/** Redacts the part of a text from `from` to `to`. The text around it only helps to recognize secrets. */
export function redactWithin(
  text: string,
  from: number,
  to: number,
  detectors: readonly Detector[] = ALL,
): Redaction {
  const counts = new Map<string, number>();
  let current = text.slice(from, to);
  let spans = within(findSecrets(text, detectors), from, to);
  // A secret may appear only after its neighbor is masked, so search next to the marks until nothing is found.
  for (let round = 0; round < MOST_ROUNDS && spans.length > 0; round++) {
    for (const { kind } of spans) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    current = mask(current, spans);
    spans = findBeside(current, detectors);
  }
  const findings = Array.from(counts, ([kind, count]) => ({ kind, count }));
  return { text: current as RedactedText, findings };
}

/** The spans between two positions, relative to the first. */
function within(spans: readonly Span[], from: number, to: number): Span[] {
  return spans
    .filter(({ start, end }) => end > from && start < to)
    .map(({ start, end, kind }) => ({
      start: Math.max(start, from) - from,
      end: Math.min(end, to) - from,
      kind,
    }));
}

/** The characters around a mark that are searched again. */
const SEARCHED = 600;
/** The characters at both ends of these that only help to recognize secrets. */
const CONTEXT = 300;

function findBeside(text: string, detectors: readonly Detector[]): Span[] {
  const found: Span[] = [];
  const places = matchesIn(text, MARKS).map(({ index }) => ({
    start: index - SEARCHED,
    end: index + MARK.length + SEARCHED,
    kind: "",
  }));
  for (const { start, end } of merge(places)) {
    const from = Math.max(0, start);
    for (const span of findSecrets(text.slice(from, end), detectors)) {
      const shifted = { start: from + span.start, end: from + span.end, kind: span.kind };
      if (shifted.end > start + CONTEXT && shifted.start < end - CONTEXT) {
        found.push(shifted);
      }
    }
  }
  return merge(found);
}

/** Searches a text, its views, and the texts that are encoded in it. */
function findSecrets(text: string, detectors: readonly Detector[]): Span[] {
  const landmarks = landmarksOf(text);
  const find = (view: string) => run(detectors, view, landmarksOf(view));
  const spans = run(detectors, text, landmarks);
  const unwrapped = unwrappedView(text);
  if (unwrapped) {
    spans.push(...acrossLines(text, spans, inOriginal(unwrapped, find(unwrapped.text))));
  }
  for (const decoded of decodedViews(text)) {
    spans.push(...inOriginal(decoded, find(decoded.text)));
  }
  spans.push(...findEncoded(text, landmarks, find));
  return spans.length === 0 ? spans : merge(withoutPublic(text, landmarks, spans));
}

function run(detectors: readonly Detector[], text: string, landmarks: Landmarks): Span[] {
  const spans: Span[] = [];
  for (const detect of detectors) {
    detect(text, landmarks, spans);
  }
  return spans;
}

/** Text next to a mark. It may be a part of the secret. */
const LEAST_UNMASKED = 4;
const SIGNS = /[^\p{L}\p{N}]+/gu;

/** Leaves out public values and marks. */
function withoutPublic(text: string, landmarks: Landmarks, spans: readonly Span[]): Span[] {
  const isPublic = touching(
    merge([...findPublicBlocks(text, landmarks), ...findPublicValues(text, landmarks)]),
  );
  return spans.filter(({ start, end }) => {
    if (end === start || isPublic(start, end)) {
      return false;
    }
    const found = text.slice(start, end);
    const rest = found.replace(MARKS, "");
    return rest === found || rest.replace(SIGNS, "").length >= LEAST_UNMASKED;
  });
}
