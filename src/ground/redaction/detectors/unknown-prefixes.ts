/** A short word, an underscore or hyphen, and a long random part: the shape most providers choose, listed or not. */
import { isDigest, isFiller, isName, looksRandom, SEQUENCE } from "../shape.ts";
import { type Detector, matchAt } from "../span.ts";
import { afterEscape, pairs, runsOf, WORD } from "./runs.ts";

/** The long part, and the short words before it. */
const SHORTEST = 20;
const LONGEST = 200;
/** The first word has a case of its own, or it is random too. */
const PREFIX =
  /(?<![A-Za-z0-9_./:=&?%@+-])(?:[a-z][a-z0-9]{0,15}|[A-Z][A-Z0-9]{0,15}|[A-Z][a-z0-9]{1,15})[_-](?:[A-Za-z][A-Za-z0-9]{0,15}[_-]){0,3}$/;
const LONGEST_PREFIX = 69;
const REST = /={0,2}(?![A-Za-z0-9_./-])/y;
/** Begins with its time, which until 2039 begins so. */
const ULID = /^01[0-9A-HJKMNP-TV-Z]{24}$/;
/** Identifiers that people show each other: not secrets, though they are shaped alike. */
const PUBLIC_IDS =
  /(?:^|[_-])(?:(?:pk|pub)_(?:live|test|prod)|acct|app|asst|batch|build|call|ch|chatcmpl|chk|chunk|client|commit|conv|css|cus|deploy|deployment|diff|digest|doc|dpl|ev|evt|event|file|ft|group|hash|id|img|in|inv|invoice|item|job|md5|mem|message|model|msg|nonce|node|ord|order|org|page|pi|pk|plan|price|prj|proj|project|prod|product|pub|public|ref|release|req|request|resp|rev|run|session|seti|sha\d*|span|step|sub|sum|task|team|thread|toolu|trace|tx|txn|uid|user|usr|uuid|v\d+|version|vs|ws)[_-]$/i;

export const findUnknownPrefixes: Detector = (text, { runs }, spans) => {
  for (const [start, end] of pairs(runsOf(text, runs, WORD, SHORTEST))) {
    const joint = text.charAt(start - 1);
    if ((joint !== "_" && joint !== "-") || end - start > LONGEST) continue;
    const before = PREFIX.exec(text.slice(Math.max(0, start - LONGEST_PREFIX), start))?.[0];
    const rest = before && matchAt(REST, text, end);
    if (!rest) continue;
    const begin = afterEscape(text, start - before.length);
    const prefix = text.slice(begin, start);
    const body = text.slice(start, end);
    if (PUBLIC_IDS.test(prefix) || isDigest(body) || isFiller(body) || !looksRandom(body, 20)) continue;
    if (ULID.test(body) || SEQUENCE.test(body) || isName(body)) continue;
    // a hyphen also joins file names and image tags: ask for both cases there
    if (prefix.endsWith("-") && !(/[a-z]/.test(body) && /[A-Z]/.test(body))) continue;
    spans.push({ start: begin, end: end + rest[0].length, kind: "unknown-token" });
  }
};
