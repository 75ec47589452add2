/** A credential word, a connector, a value: `db_password = "…"`, `API 키는 …`, `<token>…</token>`, `| SECRET | … |`. */
import { isInert, isStandIn } from "../inert.ts";
import {
  isDigest,
  isName,
  isTwoWords,
  isUuid,
  isWords,
  looksChosen,
  looksRandom,
} from "../shape.ts";
import { type Detector, MARK, matchAt, spanOf } from "../span.ts";
import { isReference } from "./code-beside-names.ts";
import { type Clarity, type KeyWord, keyWords, kindOf } from "./key-words.ts";
import {
  easternValue,
  isExpanded,
  readDefault,
  readValue,
  UNQUOTED,
  type Value,
} from "./values.ts";

/** How firmly the value is tied to the word; the firmer, the less of a shape it needs. A literal one (`DB_PASSWORD=…`) stands where no code can. */
type Tie = "literal" | "assigned" | "stated" | "beside";

const CONNECTORS: readonly (readonly [Tie, RegExp])[] = [
  // = : := => == != -> in code, JSON, YAML, shell, headers and query strings; a type or an index may stand between,
  // and Markdown's emphasis may end behind it
  [
    "assigned",
    /\\?["'`*\])]{0,3}(?:\[\d*\])?(?::\s?\w{1,20}(?=\s?=[^=>]))?[ \t]{0,8}(?:[:?]=|[!=]==?|=>|->|→|[=:：＝])(?!>)(?:(?:\*{1,2}|__?)(?=[ \t]))?[ \t]{0,12}(?:""(?=")|''(?=')|"(?=["'])|[|>][-+]?[ \t]*\n[ \t]{1,12})?/y,
  ],
  // <add key="Password" value="…"/>, name="password" value="…"
  ["assigned", /["'](?:\s+type\s?=\s?["']\w+["'])?\s+(?:secret_)?value\s?=\s?(?=["'])/y],
  // - name: TOKEN, value: …; variable "TOKEN" { default = … }
  [
    "assigned",
    /\\?["'`]?,?[^\S\n]{0,4}(?:\{[^\S\n]{0,4})?\n?[^\S\n]{0,12}\\?["']?(?:secret_?)?(?:value|default)\\?["']?\s?[:=]\s?/iy,
  ],
  // "db_password": {"sensitive": true, "value": "…"}; "name": "/prod/db/password", "type": "SecureString", "value": "…"
  [
    "assigned",
    /\\?"(?:\s?:\s?\{|,)[^{}]{0,200}?\\?"(?:value|secret_?string|content)\\?"\s?:\s?(?=\\?")/iy,
  ],
  // std::string secret("…"), secret.assign("…")
  ["assigned", /(?:\.(?:assign|set|append))?\(\s?(?=\\?["'])/y],
  // ("x-api-key", "…"), and a list in which the next item is not a value
  ["beside", /\\?["'`]\s?,\s?(?=\\?["'`])/y],
  // <password>…</password>
  ["assigned", /(?<![-=.])(?:\s[^<>;(){}]{0,60})?>(?=[^\s<>])/y],
  // <td>password</td><td>…</td>
  ["stated", /:?<\/(?:t[dh]|dt)>\s{0,20}<(?:td|dd)(?:\s[^<>]{0,60})?>(?=[^\s<])/y],
  // cy.get("[name=password]").type("…")
  ["beside", /\]?\\?["'`]\)\.(?:type|fill|set_?value|send_?keys)\(\s?(?=\\?["'`])/iy],
  // - Password — …, and nothing behind it
  [
    "beside",
    /["'`)*]{0,3}[ \t]{1,4}[—–][ \t]{1,4}(?=["'`]?[^\s"'`]{6,64}["'`]?[.,;)]?[ \t]{0,9}(?:$|[\r\n"}\]]))/y,
  ],
  // | DB_PASSWORD | … |
  ["assigned", /:?["'`*_]{0,2}[ \t]{0,12}\|[ \t]{0,12}/y],
  // the password for the test account was …
  [
    "stated",
    /s?["'`)*]{0,2}(?: \([^()\n]{1,30}\))?(?: (?:for|of|on|in|to|at|from|used by)(?: [\w@.'-]{1,24}){1,6}?)? ?(?:(?: (?:is|was|has been|got))? (?:changed|set|reset|rotated|updated|switched) to| (?:is|was|are|were|will be|became|equals|to|now|=)|:|->|→|,(?= \S+,))(?: (?:now|still|currently|just|equal to))?[:：]? (?:the )?/y,
  ],
  // my password's …, where the sentence does not go on with a noun
  [
    "beside",
    /['’]s (?:now )?(?=["'`]?[^\s"'`]{6,64}["'`]?(?:[ \t]{0,9}(?:$|[\r\n])|[}\]]|(?<=[,.;)])\s| (?:and|but|for|on|at|in|now|not|so|please|until|or)\b))/y,
  ],
  // password || "…", ENV["PASSWORD"] ?? "…", password | default("…")
  [
    "assigned",
    /["'\])}]{0,3}[^\n"'`;,|?]{0,60}?(?:\|\|=?|\?\?=?|\?:|\bor\b|\belse\b|\|[ \t]{0,2}default|\.unwrap_or|\.getOrElse)[ (\t]{0,3}(?=\\?["'`])/y,
  ],
  // --password …, ENV TOKEN …, with password …
  [
    "beside",
    /["'`)]{0,2}[ \t]{1,12}\(?(?:(?:--body|--?[vV]alue|key|KEY|token|value|of|x)[ =]{1,2})?/y,
  ],
];
/** 비밀번호는 …, 密码是 …, パスワードは …, 토큰: … */
const CJK_CONNECTORS: typeof CONNECTORS = [
  [
    "stated",
    / ?(?:["'`)]{0,2}(?:의 ?값)?(?:은|는|이|가|을|를|도|로|으로)|(?:已经?|被)?(?:是|[设設]?(?:置|定)?[为為]|[更变變]?[改新更換换](?:为|為|成))了?|(?:は|が|を|の値は))?[ \t]{0,3}[:：=]?[ \t]{0,3}/y,
  ],
];

/** `(password|token|key)`, `token|key|secret|auth`: after a bar stands a value in a table, an alternative in a pattern. */
const IN_BRACKETS = /\([^\n()]*$/;
const MORE_WORDS = /[A-Za-z_?*+.-]{2,24}(?:\|[A-Za-z_?*+.-]{2,24}){2}/y;
const EASTERN_NEXT = /^ ?[\u3040-\ud7af]/;

/** `--password`, `DB_PASSWORD` */
const FIRM_NAME = /^(?:--?[a-z]|[A-Z0-9]+_[A-Z0-9_]+$)/;
/** `DB_PASSWORD`, and behind the option of a compiler. */
const VARIABLE = /^(?:-D)?[A-Z][A-Z\d_]*$/;
/** `;Server=`, as in the address of a database. */
const NEXT_PAIR = /^;\s?[A-Z][\w ]{1,24}=/;
/** `spring.datasource.` before the name of an entry. */
const LONGEST_KEY = 60;
/** `password |`, but not `password: |` before a block of YAML. */
const BAR = /^:?["'`*_]{0,2}[ \t]*\|[ \t]*$/;
const ROW = /(?:^|\n)[ \t>*#]{0,20}(?:(?:\d{1,6}[ \t→:]{1,9})?\|[^\n]*)?$/;
const LONGEST_ROW = 240;
/** Enough of it to judge it. */
const BEGINNING = /[\x21-\x7e]{1,240}/y;
/** A value in the query of an address. */
const PARAMETER = /[\x21\x24\x25\x27-\x7e]{1,240}/y;
/** The first characters show what a value is; the rest is redacted with them. */
const JUDGED = 160;
/** `"…" == password` */
const REVERSED = /(["'`])([^"'`\n]{4,200})\1\s{0,3}[!=]==?\s{0,3}$/;

const WORDS_AND_NUMBER = /^(?:[A-Z][a-z]{2,}[_-]?){1,4}\d{1,4}[!?.#$]?$/;
/** correct-horse-battery-staple */
const JOINED_WORDS = /^[a-z]{4,12}(?:[-_][a-z]{4,12}){2,7}$/;
/** `Password=thisismyword;`, unless the sentence goes on. */
const PLAIN_WORD = /^[A-Za-z]+$/;
/** `payload`, `JWTPayload` */
const ONE_WORD = /^[A-Z]*[a-z]+$/;
const END_OF_VALUE = /^(?:$|[\r\n;&,"')}<\\])/;
/** `confirm_password` names another thing. */
const CREDENTIAL = /pass|pwd|secret|token|credential|auth|login|(?:^|[^a-z])key(?:[^a-z]|$)/i;
/** Letters only, and too few to look generated. */
const SHORT_WORD = /^[A-Za-z]{1,9}$/;

export const findAssignments: Detector = (text, landmarks, spans) => {
  for (const word of keyWords(text, landmarks)) {
    const attached =
      word.end - word.wordEnd < 16 ? "" : text.slice(word.wordEnd, word.end).replace(/^[-_=]+/, "");
    if (
      attached.length >= 16 &&
      looksRandom(attached, 16) &&
      !isName(attached) &&
      text[word.end] !== "("
    ) {
      spans.push(spanOf(word.end - attached.length, attached, kindOf(word)));
      continue;
    }
    const reversed =
      /[!=]=\s{0,3}$/.test(text.slice(word.start - 6, word.start)) &&
      REVERSED.exec(text.slice(Math.max(0, word.start - 210), word.start));
    if (reversed && isSecret(reversed[2] ?? "", word.clarity, "assigned", true)) {
      spans.push(spanOf(word.start - reversed[0].length + 1, reversed[2] ?? "", kindOf(word)));
      continue;
    }
    const found = valueAfter(text, word);
    if (found) spans.push(spanOf(found.start, found.text, kindOf(word)));
  }
};

/** Would this value be a secret if it were assigned to this name? */
export function isCredential(name: string, value: string): boolean {
  return keyWords(name).some(
    ({ clarity, end }) => end === name.length && isSecret(value, clarity, "assigned", true),
  );
}

function valueAfter(text: string, word: KeyWord): Value | undefined {
  if (isExpanded(text, word.start)) {
    const value = readDefault(text, word.wordEnd);
    return value && isSecret(value.text, word.clarity, "assigned", true) ? value : undefined;
  }
  const isEastern = word.cjk || EASTERN_NEXT.test(text.slice(word.end, word.end + 2));
  for (const [tie, connector] of isEastern ? [...CJK_CONNECTORS, ...CONNECTORS] : CONNECTORS) {
    const joined = matchAt(connector, text, word.end);
    if (!joined) continue;
    const after = word.end + joined[0].length;
    const isBar = joined[0].includes("|") && BAR.test(joined[0]);
    if (isBar && isAlternative(text, word.start, after)) continue;
    if (tie === "assigned" && text.startsWith(MARK, after)) return undefined; // found before
    const eastern = word.clarity === "password" ? easternValue(text, joined[0], after) : undefined;
    if (eastern) return eastern;
    const value = readValue(
      text,
      after,
      /[?&]/.test(text.charAt(word.start - 1)) ? PARAMETER : BEGINNING,
    );
    if (!value) continue;
    const behind = text.charAt(value.start + value.text.length);
    const firm =
      tie === "beside" || isBar
        ? tieOf(text, word, tie)
        : isLiteral(text, word, joined[0], value)
          ? "literal"
          : tie;
    const quoted = value.quoted || (joined[0].endsWith(">") && behind === "<");
    if (
      !isSecret(value.text.slice(0, JUDGED), word.clarity, firm, quoted, word.end - word.start > 4)
    )
      continue;
    if (firm !== "literal" && isReference(text, word, joined[0], value, tie === "assigned"))
      continue;
    const isWhole = value.text.length < JUDGED;
    const whole = isWhole ? value : (readValue(text, after, UNQUOTED) as Value);
    const goesOn = !END_OF_VALUE.test(text.charAt(whole.start + whole.text.length));
    if (whole.quoted || firm === "literal" || !goesOn || !readsAsWord(whole.text)) return whole;
  }
  return undefined;
}

/** A flag or a variable's name ties firmer than a word in a sentence; a bar only where it begins the line. A plain word behind a flag is usage. */
function tieOf(text: string, { start, end, clarity }: KeyWord, tie: Tie): Tie {
  if (tie === "beside" && clarity === "secret" && text.startsWith("--", start)) return "assigned";
  if (FIRM_NAME.test(text.slice(start, end))) return tie === "beside" ? "stated" : tie;
  if (tie !== "beside" && !ROW.test(text.slice(Math.max(0, start - LONGEST_ROW), start)))
    return "beside";
  return tie === "assigned" && clarity === "password" ? "stated" : tie;
}

/** Whether no code can stand there: a variable of a shell or of YAML, an argument, an entry of a file of settings. */
function isLiteral(
  text: string,
  { start, end, clarity, word }: KeyWord,
  connector: string,
  value: Value,
): boolean {
  const isClear = clarity === "password" || /secret/i.test(word) || /\d\D{0,40}\d/.test(value.text);
  if (!isClear) return false; // API_KEY=na1.short
  const behind = value.start + value.text.length;
  const isLast = /^[\r\n]?$/.test(text.charAt(behind));
  const isVariable = VARIABLE.test(text.slice(start, end));
  if (connector === "=" && (isVariable || text.startsWith("--", start))) return true;
  if (connector === "=" && NEXT_PAIR.test(text.slice(behind, behind + 30))) return true;
  if (value.quoted || !isLast || !/^(?:=|: | = )$/.test(connector)) return false;
  if (connector === ": " && isVariable) return true;
  const before =
    start < LONGEST_KEY ? `\n${text.slice(0, start)}` : text.slice(start - LONGEST_KEY, start);
  // a hyphen is no part of another variable's name
  if (isTwoWords(value.text) && value.text.includes("-")) return /\n[ \t-]*[\w.]*$/.test(before);
  return connector === "=" && /\n[\w.]*$/.test(before);
}

function isAlternative(text: string, word: number, after: number): boolean {
  return (
    IN_BRACKETS.test(text.slice(Math.max(0, word - 240), word)) ||
    matchAt(MORE_WORDS, text, after) !== undefined
  );
}

/** A word of a sentence or a type. */
function readsAsWord(value: string): boolean {
  if (!PLAIN_WORD.test(value)) return false;
  if (ONE_WORD.test(value)) return /^[A-Z]{2}/.test(value) || isWords(value);
  return !looksRandom(value, 10) && (isWords(value) || isName(value));
}

/** Words and numbers, joined or not, in a place for a value: `blue_harbor`, `Winter.winter21`. */
function isTakenLiterally(value: string, clarity: Clarity): boolean {
  if (!/^[A-Za-z\d][\w.-]{5,63}$/.test(value) || isStandIn(value) || CREDENTIAL.test(value))
    return false;
  if (clarity === "password") return value.length >= 8;
  if (clarity === "key") return false;
  return /\d/.test(value)
    ? /[a-z]/i.test(value)
    : (isTwoWords(value) && value.includes("_")) || isMixedUp(value);
}

/** Eight letters and more that are no word. */
const isMixedUp = (value: string): boolean =>
  value.length >= 8 && PLAIN_WORD.test(value) && !isWords(value);

function isSecret(
  value: string,
  clarity: Clarity,
  tie: Tie,
  quoted: boolean,
  named = true,
): boolean {
  if (tie === "literal")
    return isTakenLiterally(value, clarity) || isSecret(value, clarity, "assigned", quoted, named);
  // most words that follow are just words
  if (SHORT_WORD.test(value) && (clarity !== "password" || tie === "beside")) return false;
  if (isInert(value)) return false;
  if (clarity === "key") {
    if (isDigest(value) || isUuid(value)) return tie === "assigned" && named && value.length >= 16;
    return (
      looksRandom(value, tie === "assigned" ? 12 : 16) &&
      !((tie !== "assigned" || value.includes(".")) && isName(value))
    );
  }
  if (isUuid(value) || looksRandom(value, tie === "beside" ? 12 : 10)) return true;
  if (isDigest(value) && value.length >= 12) return /\d/.test(value) && /[a-f]/i.test(value);
  // Winter_Neptune10, CleartextPassword1: a name in code, but not where a password is stated or quoted
  if (clarity === "password" && (tie === "stated" || quoted) && WORDS_AND_NUMBER.test(value))
    return true;
  if (
    clarity === "password" &&
    tie !== "beside" &&
    JOINED_WORDS.test(value) &&
    (tie === "stated" || quoted)
  )
    return true;
  if (clarity === "password" && isTwoWords(value) && !CREDENTIAL.test(value))
    return quoted ? tie !== "beside" : tie === "stated" && value.includes("_");
  if (looksChosen(value)) {
    if (clarity === "password")
      return (
        tie !== "beside" ||
        quoted ||
        /[A-Z!@#$%^&*?]/.test(value) ||
        (value.length >= 8 && /\d.*\d/.test(value))
      );
    return (
      (tie === "assigned" || (quoted && tie === "stated")) && /[A-Z!@#$%^&*?]|\d.*\d/.test(value)
    );
  }
  // letters only: a word somebody chose, if the note clearly says that it is the password; "Passwort" is a label
  if (clarity !== "password" || tie === "beside" || value.length < 6) return false;
  if (isMixedUp(value)) return true;
  return quoted ? /^[a-z.-]+$/.test(value) : tie === "assigned" && /^[a-z]{8,}$/.test(value);
}
