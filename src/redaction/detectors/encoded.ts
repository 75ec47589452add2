/** Base64 that hides a secret: `user:password`, a private key, a token, a Kubernetes Secret's data. */

import type { Detector, Span } from "../span.ts";

const RUN = /(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{12,}={0,2}/g;
const PAIR = /^[\w.@+-]{1,60}:[\x21-\x7e]{4,200}$/;

/** Decodes every run of base64 that is text inside and shows it to `find`. */
export function findEncoded(text: string, find: Detector): Span[] {
  const spans: Span[] = [];
  for (const run of text.matchAll(RUN)) {
    const inside = Buffer.from(run[0], "base64").toString("latin1");
    const readable = /^[\t\n\r\x20-\x7e]{8,}$/.test(inside.slice(0, 400));
    if (/^-----BEGIN [A-Z ]*PRIVATE KEY/.test(inside) || (readable && (isPair(inside) || find(inside).length > 0)))
      spans.push({ start: run.index, end: run.index + run[0].length, kind: "encoded-secret" });
  }
  return spans;
}

function isPair(inside: string): boolean {
  return PAIR.test(inside.trim()) && !inside.includes("://");
}
