/** Private keys: PEM, PGP, SSH2 and PuTTY blocks, whole or cut off, with real or escaped newlines; JWK and XML keys. */

import { type Detector, matchAt, matchesIn, spanOf } from "../span.ts";
import { isWords } from "../values/shape.ts";

const KIND = "private-key";
const BEGIN =
  /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{0,5}|PuTTY-User-Key-File-\d: /g;
const END = /-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{0,5}|Private-MAC: [0-9a-f]+/g;
/** What may stand between two lines of a body: white space, escaped newlines, quotes and plus signs of source code. */
const BETWEEN =
  /(?:\s|(?<!\\)\\+[nrt]|["'`+,>#*|\\]|(?:Proc-Type|DEK-Info|Version|Comment|Encryption|Private-Lines|Public-Lines)[^\n\\]{0,80})*/y;
const RUN = /[A-Za-z0-9+/=_-]+/y;
/** A body that lost its first line still begins with the DER or OpenSSH preamble of a private key. */
const BODY =
  /(?<![A-Za-z0-9+/])(?:MII[A-Z][A-Za-z0-9+/]{2}IBA[A-Z][A-Za-z0-9+/]{3,}|MC4CAQAwBQYDK2Vw|MH[A-Za-z]CAQEE|b3BlbnNzaC1rZXktdjEA)[A-Za-z0-9+/=]{16,}/g;
const JWK = /"(?:d|dp|dq|p|q|qi|k)" ?: ?"([A-Za-z0-9_-]{20,})"/g;
const XML = /<(?:D|P|Q|DP|DQ|InverseQ)>([A-Za-z0-9+/=]{20,})<\//g;

export const findPrivateKeys: Detector = (text, _, spans) => {
  const begins = text.includes("PRIVATE KEY") || text.includes("PuTTY-User-Key-File");
  for (const begin of begins ? matchesIn(text, BEGIN) : []) {
    const after = begin.index + begin[0].length;
    const end = endOfBody(text, after);
    if (end > after)
      spans.push({ start: begin.index, end: endOfKeyFile(text, begin.index, end), kind: KIND });
  }
  for (const { index } of matchesIn(text, BODY))
    spans.push({ start: index, end: endOfBody(text, index), kind: KIND });
  const fields = /"kty"/.test(text) ? JWK : /<RSAKeyValue>/.test(text) ? XML : undefined;
  for (const { index, 0: field, 1: value = "" } of fields ? matchesIn(text, fields) : [])
    spans.push(spanOf(index + field.indexOf(value, 4), value, KIND));
};

/** A service account's key file is one credential: what follows the key in the object names the account it opens. */
function endOfKeyFile(text: string, start: number, end: number): number {
  if (
    !/"private_key"\s*:\s*"$/.test(text.slice(Math.max(0, start - 30), start)) ||
    !text.includes("service_account")
  )
    return end;
  const brace = text.indexOf("}", end);
  return brace < 0 ? end : brace + 1;
}

/** Past the END line, or as far as the lines still read like a key; `from` itself when there is no body, only a mention. */
function endOfBody(text: string, from: number): number {
  let end = from;
  for (;;) {
    const start = end + (matchAt(BETWEEN, text, end)?.[0].length ?? 0);
    const run = matchAt(RUN, text, start)?.[0] ?? "";
    const lines = run.startsWith("-----") ? "" : (run.split("-----", 1)[0] ?? "");
    const reads =
      lines.length >= 16
        ? !isWords(lines)
        : end > from && /[A-Z0-9+/=]/.test(lines) && !isWords(lines);
    if (lines && reads) {
      end = start + lines.length;
      continue;
    }
    const close = end > from && matchesIn(text.slice(end, end + 200), END)[0];
    return close && /^[\s\\nr"'`+>.…#*|=]*$/.test(text.slice(end, end + close.index))
      ? end + close.index + close[0].length
      : end;
  }
}
