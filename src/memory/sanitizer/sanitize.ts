/**
 * The front of the redactor, and the only file others import. Pure: text in, text out (issue 5).
 *
 * Layers look for one sort of secret each, from the most certain to the most careful guess; the text is changed once,
 * at the end, so that one secret is one mark whatever found it.
 */

import { findAssignments } from "./assignments.ts";
import { findEncoded } from "./encoded.ts";
import { findInHeadersAndCommands } from "./headers-and-commands.ts";
import { findKeyBlocks, findPublicBlocks } from "./key-blocks.ts";
import { findAcrossLines } from "./line-breaks.ts";
import { findNearWords } from "./near-words.ts";
import { findPrivateKeys } from "./private-keys.ts";
import { findProviderTokens } from "./provider-formats.ts";
import { type Layer, mask, merge, type Span } from "./span.ts";
import { findUnknownPrefixes } from "./unknown-prefixes.ts";
import { findUrlSecrets } from "./urls.ts";
import { decodedViews, findIn } from "./views.ts";
import { findWebTokens } from "./web-tokens.ts";
import { findWebhooks } from "./webhooks.ts";

export { hidePrivate } from "./private.ts";

/** What was found, for a receipt: never the value. */
export interface Finding {
  readonly kind: string;
  readonly count: number;
}

/** Secrets by their own shape: certain enough to refuse a text for. */
const CERTAIN: readonly Layer[] = [findPrivateKeys, findKeyBlocks, findWebTokens, findProviderTokens];
const ALL: readonly Layer[] = [
  ...CERTAIN,
  findUrlSecrets,
  findWebhooks,
  findUnknownPrefixes,
  findInHeadersAndCommands,
  findAssignments,
  findNearWords,
];

/** Something for every layer to look at. */
const ORDINARY_NOTE = `The password for "app" is winter24!, see https://app:winter24@db/x%20y?sig=1&amp;b=2
-----BEGIN and eyJ: curl -u app:winter24 -H "Authorization: Bearer winter24" \\n {"api_key": "winter24"} |
  token = a1b2c3d4e5f6g7h8i9j0
  klmnop commit 0123456789abcdef | echo winter24 | tool login`;

/** Replaces every secret by `[REDACTED]`. Redacting the result again changes nothing. */
export function redact(text: string): { readonly text: string; readonly findings: readonly Finding[] } {
  const counts = new Map<string, number>();
  let current = text;
  // a secret may show only once its neighbour is gone: look again until nothing is found
  for (let spans = findSecrets(current); spans.length > 0; spans = findSecrets(current)) {
    for (const { kind } of spans) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    current = mask(current, spans);
  }
  return { text: current, findings: [...counts].map(([kind, count]) => ({ kind, count })) };
}

/** The kind of the first provider token, web token or private key, for a text that must not be altered. */
export function findRefusable(text: string): string | undefined {
  return merge(run(CERTAIN, text))[0]?.kind;
}

/** Runs every pattern, so that the first real call does not pay for compiling them. Call it after the first answer. */
export function warmUp(): void {
  redact(ORDINARY_NOTE);
  redact(`${ORDINARY_NOTE} 비밀번호는 winter24!`); // the engine compiles anew for text beyond Latin-1
}

function findSecrets(text: string): Span[] {
  const all = (from: string) => run(ALL, from);
  const spans = all(text);
  spans.push(...findAcrossLines(text, spans, all));
  for (const view of decodedViews(text)) spans.push(...findIn(view, all));
  spans.push(...findEncoded(text, all));
  const zones = findPublicBlocks(text);
  return merge(
    spans.filter(
      (span) =>
        span.end > span.start && !text.slice(span.start, span.end).includes("REDACTED") && !isPublic(zones, span),
    ),
  );
}

function run(layers: readonly Layer[], text: string): Span[] {
  return layers.flatMap((layer) => layer(text));
}

function isPublic(zones: readonly Span[], { start, end }: Span): boolean {
  return zones.some((zone) => start < zone.end && end > zone.start);
}
