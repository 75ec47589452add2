/** Values in Hangul, Han or kana with digits behind them, as people choose them: `비밀번호는 봄날의곰77`. */
import { matchAt } from "../span.ts";

/** A connector that is there, not only a blank. */
const CONNECTED = /[:：=은는이가是为為は]/;
/** What a sentence or an entry may go on with. */
const VALUE =
  /["'`“‘「『]?([\p{scx=Hang}\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}]{3,16}\d{2,8}[!@#$%^&*?~]{0,3})(?=["'`”’」』]|[\s,.;)。，、）]|$|이에요|예요|입니다|です)/uy;
/** A rule for passwords, or a step on the way to one. */
const RULE =
  /^(?:최소|최대|길이|단계|버전|오류|至少|最少|最多|最短|最长|長|长|不少于|第|步骤|版本|错误|最低|最大|最小|文字数|バージョン|ステップ|エラー)/;

/** The value behind a word in one of these scripts and its connector. */
export function easternValue(
  text: string,
  connector: string,
  from: number,
): { start: number; text: string } | undefined {
  const found = CONNECTED.test(connector) ? matchAt(VALUE, text, from) : undefined;
  const value = found?.[1] ?? "";
  if (!found || RULE.test(value)) return undefined;
  return { start: from + found[0].length - value.length, text: value };
}
