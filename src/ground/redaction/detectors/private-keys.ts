/** Private keys: PEM, PGP, SSH2 and PuTTY blocks, whole or cut off, with real or escaped newlines. Also JWK and XML keys. */
import { type Detector, matchAt, matchesIn, spanOf } from "../span.ts";
import { isWords } from "../values/shape.ts";

const KIND = "private-key";
const BEGIN =
  /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{0,5}|PuTTY-User-Key-File-\d: /g;
const END = /-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{0,5}|Private-MAC: [0-9a-f]+/g;
/** The DER or OpenSSH preamble of a private key, which begins a body even without its first line. */
const PREAMBLE =
  /(?<![A-Za-z0-9+/])(?:MII[A-Z][A-Za-z0-9+/]{2}IBA[A-Z][A-Za-z0-9+/]{3,}|MC4CAQAwBQYDK2Vw|MH[A-Za-z]CAQEE|b3BlbnNzaC1rZXktdjEA)[A-Za-z0-9+/=]{16,}/g;
const JWK = /"(?:d|dp|dq|p|q|qi|k)" ?: ?"([A-Za-z0-9_-]{20,})"/g;
const XML = /<(?:D|P|Q|DP|DQ|InverseQ)>([A-Za-z0-9+/=]{20,})<\//g;

export const findPrivateKeys: Detector = (text, _, spans) => {
  const mayBegin = text.includes("PRIVATE KEY") || text.includes("PuTTY-User-Key-File");
  for (const { index, 0: begin } of mayBegin ? matchesIn(text, BEGIN) : []) {
    const body = index + begin.length;
    const end = endOfBody(text, body);
    if (end > body) {
      spans.push({ start: index, end: endOfKeyFile(text, index, end), kind: KIND });
    }
  }
  for (const { index } of matchesIn(text, PREAMBLE)) {
    spans.push({ start: index, end: endOfBody(text, index), kind: KIND });
  }
  for (const { index, 0: field, 1: value = "" } of secretFields(text)) {
    spans.push(spanOf(index + field.indexOf(value, 4), value, KIND));
  }
};

function secretFields(text: string): RegExpExecArray[] {
  if (text.includes('"kty"')) {
    return matchesIn(text, JWK);
  }
  return text.includes("<RSAKeyValue>") ? matchesIn(text, XML) : [];
}

/** The key file of a service account is redacted to its end, because the fields after the key name the account. */
function endOfKeyFile(text: string, start: number, end: number): number {
  const isField = /"private_key"\s*:\s*"$/.test(text.slice(Math.max(0, start - 30), start));
  if (!isField || !text.includes("service_account")) {
    return end;
  }
  const brace = text.indexOf("}", end);
  return brace < 0 ? end : brace + 1;
}

/** Between two lines of a body: white space, escaped newlines, headers, quotes and plus signs of source code. */
const BETWEEN =
  /(?:\s|(?<!\\)\\+[nrt]|["'`+,>#*|\\]|(?:Proc-Type|DEK-Info|Version|Comment|Encryption|Private-Lines|Public-Lines)[^\n\\]{0,80})*/y;
const RUN = /[A-Za-z0-9+/=_-]+/y;

/** The end of the END line, or of the last line that looks like a key. Returns `from` if only a mention of a key is there. */
function endOfBody(text: string, from: number): number {
  let end = from;
  for (;;) {
    const start = end + (matchAt(BETWEEN, text, end)?.[0].length ?? 0);
    const run = matchAt(RUN, text, start)?.[0] ?? "";
    const line = run.split("-----", 1)[0] ?? "";
    if (!isLineOfKey(line, end === from)) {
      return end === from ? end : endOfEndLine(text, end);
    }
    end = start + line.length;
  }
}

/** The first line needs 16 characters. A later one may be short, but not a word. */
function isLineOfKey(line: string, isFirst: boolean): boolean {
  if (line === "" || isWords(line)) {
    return false;
  }
  return line.length >= 16 || (!isFirst && /[A-Z0-9+/=]/.test(line));
}

function endOfEndLine(text: string, end: number): number {
  const close = matchesIn(text.slice(end, end + 200), END)[0];
  if (!close) {
    return end;
  }
  const isNext = /^[\s\\nr"'`+>.…#*|=]*$/.test(text.slice(end, end + close.index));
  return isNext ? end + close.index + close[0].length : end;
}
