/** Secrets of several words: recovery phrases of wallets, recovery codes, passphrases, and passwords with blanks. */
import { endsString } from "../assignments/read-value.ts";
import { findForms, searchFrom } from "../search.ts";
import { type Detector, matchesIn, spanOf } from "../span.ts";
import { isDate } from "../values/placeholders.ts";

const MNEMONIC =
  /(?:mnemonic|(?:seed|recovery|backup|secret)[ _-]?(?:phrase|words)|\bseed\b|니모닉|복구 ?(?:문구|구문)|助记词|助記詞|ニーモニック)[^\n]{0,60}?[:=：是は][ \t]*(?:\r?\n[ \t]*)?["'`「]?(?<s>(?:[a-z]{3,8}[ ,]+){11,23}[a-z]{3,8})\b/diy;
/** `passphrase: "correct horse battery staple"`, `password = 'open the gate'` */
const QUOTED =
  /(?:(?<isPhrase>passphrase)|passw(?:or)?d|pwd|secret|(?:auth|logged_in|nonce|secure_auth)_(?:key|salt))\w{0,24}["']{0,2}\s{0,3}(?:=>?|:|,)\s{0,3}(?<quote>["'])(?<s>(?=[^"'\n]*[ ])[^"'\n]{6,200})\k<quote>/diy;

const findTexts = findForms([
  {
    kind: "mnemonic",
    patterns: {
      "mnemonic|seed|recovery|backup|secret|니모닉|복구|助记词|助記詞|ニーモニック": MNEMONIC,
    },
  },
  {
    kind: "password",
    isSecret: (words, { text, start, match: { 0: found, groups } }) => {
      if (endsString(text, start - 1, groups?.quote ?? "")) {
        return false;
      }
      return groups?.isPhrase ? isPassphrase(words) : isPassword(words, found);
    },
    patterns: { "passphrase|passwd|password|pwd|secret|auth_|logged_in_|nonce_": QUOTED },
  },
]);

const CODE_OF_WORDS = "[0-9a-z]{4,8}-[0-9a-z]{4,8}|(?=[a-z]*\\d)[0-9a-z]{8,16}";
/** Lines of one to four codes each, after a line that announces them. */
const findCodes = searchFrom(
  [
    "recovery",
    "backup",
    "scratch",
    "one-time",
    "emergency",
    "2fa",
    "mfa",
    "복구",
    "备用码",
    "恢复代码",
    "リカバリーコード",
  ],
  new RegExp(
    "(?:(?:recovery|backup|scratch|one-time|emergency|2fa|mfa)[ _-]?codes?|복구 ?코드|备用码|恢复代码|リカバリーコード)[^\\n]{0,80}\\n" +
      `((?:[ \\t]*\\r?\\n)?(?:[ \\t>*#\\d.)-]{0,8}(?:${CODE_OF_WORDS})(?:[ \\t,]+(?:${CODE_OF_WORDS})){0,3}[ \\t]*(?:\\r?\\n|$)){2,20})`,
    "iy",
  ),
);
const CODE = /[0-9a-z]{4,8}-[0-9a-z]{4,8}|\b(?=[a-z]*\d)[0-9a-z]{8,16}\b/gi;

export const findPhrases: Detector = (text, landmarks, spans) => {
  findTexts(text, landmarks, spans);
  for (const { index, 0: found, 1: lines = "" } of findCodes(text, landmarks)) {
    const start = index + found.length - lines.length;
    for (const code of matchesIn(lines, CODE)) {
      spans.push(spanOf(start + code.index, code[0], "recovery-code"));
    }
  }
};

/** Words of a label or a message about a password. */
const MESSAGE =
  /\b(?:your|enter|password|passphrase|secrets?|tokens?|keys?|must|invalid|required|please|forgot|reset|wrong|incorrect|new|confirm|missing|empty|not?|should|cannot|is|are|was|be|at least|for|with|the|and|or)\b/i;
/** `{{ vault_db_password }}`, `${{ secrets.TOKEN }}`, `<%= password %>`, `$(pass show db)` */
const TEMPLATE = /^(?:[$=]?\{\{.*\}\}|[$#]\{.*\}|<%.*%>|\$\(.*|`.*)$/;

function isPassphrase(words: string): boolean {
  return /^[a-z]{2,12}(?: [a-z]{2,12}){2,11}$/.test(words) || !MESSAGE.test(words);
}

/** An assigned text that is too mixed for prose, or a few plain words that no message would contain. */
function isPassword(words: string, found: string): boolean {
  const symbols = words.match(/[^\s\p{L}\p{M}\p{N}]/gu)?.length ?? 0;
  const isMixed = words.length >= 20 && symbols * 5 >= words.length;
  if (isMixed) {
    return !TEMPLATE.test(words) && !isDate(words) && !/^\S+ \/\w/.test(words); // GET /repos/{owner}
  }
  const isAssigned = /=\s{0,3}["']/.test(found);
  return isAssigned && /^[a-z]{3,12}(?: [a-z]{3,12}){1,4}$/.test(words) && !MESSAGE.test(words);
}
