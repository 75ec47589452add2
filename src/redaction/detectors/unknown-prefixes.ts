/** A short word, an underscore or hyphen, and a long random part: the shape most providers choose, listed or not. */

import { isDigest, looksRandom } from "../shape.ts";
import type { Detector, Span } from "../span.ts";

const PREFIXED =
  /(?<![A-Za-z0-9_./:=&?%@+-])((?:[A-Za-z][A-Za-z0-9]{0,15}[_-]){1,4})([A-Za-z0-9]{20,200}={0,2})(?![A-Za-z0-9_./-])/g;
/** Identifiers that people show each other: not secrets, though they are shaped alike. */
const PUBLIC_IDS =
  /(?:^|[_-])(?:(?:pk|pub)_(?:live|test|prod)|acct|app|asst|batch|build|call|ch|chatcmpl|chunk|client|commit|conv|css|cus|deploy|deployment|digest|doc|dpl|ev|evt|event|file|ft|group|hash|id|img|in|inv|invoice|item|job|md5|mem|message|model|msg|nonce|node|ord|order|org|page|pi|pk|plan|price|prj|proj|project|prod|product|pub|public|ref|release|req|request|resp|rev|run|session|seti|sha\d*|span|step|sub|sum|task|team|thread|toolu|trace|tx|txn|uid|user|usr|uuid|v\d+|version|vs|ws)[_-]$/i;

export const findUnknownPrefixes: Detector = (text) => {
  const spans: Span[] = [];
  for (const found of text.matchAll(PREFIXED)) {
    const [whole, prefix = "", body = ""] = found;
    if (PUBLIC_IDS.test(prefix) || isDigest(body) || !looksRandom(body, 20)) continue;
    // a hyphen also joins file names and image tags: ask for both cases there
    if (prefix.endsWith("-") && !(/[a-z]/.test(body) && /[A-Z]/.test(body))) continue;
    spans.push({ start: found.index, end: found.index + whole.length, kind: "unknown-token" });
  }
  return spans;
};
