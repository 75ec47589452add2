/** Texts that begin like secrets again and again and never become one: what a detector is slowest on. */

import { FORMATS, spellOut } from "../../src/ground/redaction/detectors/provider-formats.ts";

/** What the tokens of all providers begin with. */
export const PREFIXES: readonly string[] = [
  ...new Set(
    FORMATS.flatMap(({ shape }) => spellOut(shape)).map((shape) => /^[^{]*/.exec(shape)?.[0] ?? ""),
  ),
].filter((prefix) => prefix !== "");

/** Beginnings of what the other detectors look for. */
export const NEAR_MISSES: readonly string[] = (
  "secret secret token |x_x_x_|a=a=a=|eyJeyJ|eyJa.|-----BEGIN|-----BEGIN PRIVATE KEY-----|password|password |key key key |" +
  "token = a.b.c( |Bearer |Bearer:|curl -u a:|mysql -p|https://a:b|https://a@|//hooks.|sk-|xoxb-1-|ghp_a1b2|AKIA|a1-b2-c3-|A.b.|" +
  'aB3|AAAA|%41|&amp;|\\n|\\u0041|abc\n|"secret": |=\'|admin/|login a/b |password for a b c d e f |1/|토큰 |토큰은 |密码是|="\'|' +
  '`|<private>|key=|secret:\n|password=\'|token "|a_b-c.d/e+f=|a,password,|a1b2c3d4e5f6g7h8i9\n|{"|"value":"|: |\n\n| |:1234:|' +
  "insert into |…|...|htpasswd -b|MIIEvQ|kind: Secret\ndata:\n  a: b\n|seed: a |token\t|password =\n|ｋｅｙ＝|ａ１|！！ａ"
).split("|");

/** A piece repeated up to a length, and cut there. */
export function repeated(piece: string, length: number): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}
