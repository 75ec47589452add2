/** A credential word, a connector and a value: `db_password = "…"`, `API 키는 …`, `<token>…</token>`, `| SECRET | … |`. */
import { type Detector, MARK, matchAt, spanOf } from "../span.ts";
import { isName, isTwoWords, isWords, looksRandom } from "../values/shape.ts";
import { isReference } from "./code-beside-names.ts";
import { CONNECTORS, EASTERN_CONNECTORS, type Tie } from "./connectors.ts";
import { assignedTo, isSecret } from "./is-secret.ts";
import { type KeyWord, keyWords, kindOf } from "./key-words.ts";
import {
  easternValue,
  isExpanded,
  readDefault,
  readValue,
  UNQUOTED,
  type Value,
} from "./read-value.ts";

/** A credential word with a connector behind it. */
interface Join {
  readonly text: string;
  readonly word: KeyWord;
  readonly connector: string;
  readonly tie: Tie;
  /** The start of the value. */
  readonly after: number;
  /** Whether the connector is the bar of a table. */
  readonly isBar: boolean;
}

export const findAssignments: Detector = (text, landmarks, spans) => {
  for (const word of keyWords(text, landmarks)) {
    const value = attachedToken(text, word) ?? valueBefore(text, word) ?? valueAfter(text, word);
    if (value) {
      spans.push(spanOf(value.start, value.text, kindOf(word)));
    }
  }
};

type Found = Pick<Value, "start" | "text">;

const SHORTEST_TOKEN = 16;

/** A token that is part of the identifier: `key_a1B2c3…`. */
function attachedToken(text: string, { wordEnd, end }: KeyWord): Found | undefined {
  if (end - wordEnd < SHORTEST_TOKEN || text[end] === "(") {
    return undefined;
  }
  const token = text.slice(wordEnd, end).replace(/^[-_=]+/, "");
  if (!looksRandom(token, SHORTEST_TOKEN) || isName(token)) {
    return undefined;
  }
  return { start: end - token.length, text: token };
}

/** `"…" == password` */
const COMPARED = /(["'`])([^"'`\n]{4,200})\1\s{0,3}[!=]==?\s{0,3}$/;
const LONGEST_COMPARED = 210;

/** A quoted value that is compared with the name. */
function valueBefore(text: string, { start, clarity }: KeyWord): Found | undefined {
  if (!/[!=]=\s{0,3}$/.test(text.slice(start - 6, start))) {
    return undefined;
  }
  const compared = COMPARED.exec(text.slice(Math.max(0, start - LONGEST_COMPARED), start));
  const value = compared?.[2] ?? "";
  if (!compared || !isSecret(value, assignedTo(clarity))) {
    return undefined;
  }
  return { start: start - compared[0].length + 1, text: value };
}

const EASTERN_NEXT = /^ ?[\u3040-\ud7af]/;
/** `password |`, but not `password: |` before a block of YAML. */
const BAR = /^:?["'`*_]{0,2}[ \t]*\|[ \t]*$/;

function valueAfter(text: string, word: KeyWord): Found | undefined {
  if (isExpanded(text, word.start)) {
    return defaultOf(text, word);
  }
  for (const join of joinsAfter(text, word)) {
    const isRedacted = join.tie === "assigned" && text.startsWith(MARK, join.after);
    if (isRedacted) {
      return undefined;
    }
    const value = easternPassword(join) ?? secretAfter(join);
    if (value) {
      return value;
    }
  }
  return undefined;
}

/** The ways in which a value may be joined to a word. */
function joinsAfter(text: string, word: KeyWord): Join[] {
  const isEastern = word.cjk || EASTERN_NEXT.test(text.slice(word.end, word.end + 2));
  const joins: Join[] = [];
  for (const { tie, pattern } of isEastern ? EASTERN_CONNECTORS : CONNECTORS) {
    const connector = matchAt(pattern, text, word.end)?.[0];
    if (connector === undefined) {
      continue;
    }
    const isBar = connector.includes("|") && BAR.test(connector);
    const join = { text, word, connector, tie, after: word.end + connector.length, isBar };
    if (!isBar || !isAlternative(join)) {
      joins.push(join);
    }
  }
  return joins;
}

/** The default in `${DB_PASSWORD:-…}`. */
function defaultOf(text: string, { wordEnd, clarity }: KeyWord): Value | undefined {
  const value = readDefault(text, wordEnd);
  return value && isSecret(value.text, assignedTo(clarity)) ? value : undefined;
}

function easternPassword({ text, word, connector, after }: Join): Value | undefined {
  return word.clarity === "password" ? easternValue(text, connector, after) : undefined;
}

/** Enough of a value to judge it. */
const BEGINNING = /[\x21-\x7e]{1,240}/y;
/** A value in the query of a URL. */
const PARAMETER = /[\x21\x24\x25\x27-\x7e]{1,240}/y;
/** The characters that are judged. The rest is redacted with them. */
const JUDGED = 160;

function secretAfter(join: Join): Value | undefined {
  const { text, word, connector, after } = join;
  const isParameter = /[?&]/.test(text.charAt(word.start - 1));
  const value = readValue(text, after, isParameter ? PARAMETER : BEGINNING);
  if (!value) {
    return undefined;
  }
  const tie = tieOf(join, value);
  const place = {
    clarity: word.clarity,
    tie,
    quoted: value.quoted || isXmlText(join, value),
    hasLongName: word.end - word.start > 4,
  };
  if (!isSecret(value.text.slice(0, JUDGED), place)) {
    return undefined;
  }
  const isAssigned = join.tie === "assigned";
  if (tie !== "literal" && isReference(text, word, connector, value, isAssigned)) {
    return undefined;
  }
  const whole = value.text.length < JUDGED ? value : (readValue(text, after, UNQUOTED) ?? value);
  const isWord = tie !== "literal" && isWordOfSentence(text, whole);
  return isWord ? undefined : whole;
}

const isXmlText = ({ text, connector }: Join, value: Value): boolean =>
  connector.endsWith(">") && text.charAt(endOf(value)) === "<";

const endOf = ({ start, text }: Value): number => start + text.length;

const IN_BRACKETS = /\([^\n()]*$/;
const MORE_WORDS = /[A-Za-z_?*+.-]{2,24}(?:\|[A-Za-z_?*+.-]{2,24}){2}/y;

/** `(password|token|key)`, `token|key|secret|auth`: in a pattern, the bar separates alternatives. */
function isAlternative({ text, word, after }: Join): boolean {
  const before = text.slice(Math.max(0, word.start - 240), word.start);
  return IN_BRACKETS.test(before) || matchAt(MORE_WORDS, text, after) !== undefined;
}

/** `--password`, `DB_PASSWORD` */
const FIRM_NAME = /^(?:--?[a-z]|[A-Z0-9]+_[A-Z0-9_]+$)/;
const ROW = /(?:^|\n)[ \t>*#]{0,20}(?:(?:\d{1,6}[ \t→:]{1,9})?\|[^\n]*)?$/;
const LONGEST_ROW = 240;

/** How firmly this value belongs to this name. */
function tieOf(join: Join, value: Value): Tie {
  if (join.tie === "beside") {
    return tieBeside(join);
  }
  if (join.isBar) {
    return tieInTable(join);
  }
  return isLiteral(join, value) ? "literal" : join.tie;
}

/** The name of a flag or a variable ties firmer than a word in a sentence. A plain word behind a flag is usage. */
function tieBeside({ text, word: { start, end, clarity } }: Join): Tie {
  if (clarity === "secret" && text.startsWith("--", start)) {
    return "assigned";
  }
  return FIRM_NAME.test(text.slice(start, end)) ? "stated" : "beside";
}

/** A bar ties only at the beginning of a line. */
function tieInTable({ text, word: { start, end, clarity }, tie }: Join): Tie {
  if (FIRM_NAME.test(text.slice(start, end))) {
    return tie;
  }
  if (!ROW.test(text.slice(Math.max(0, start - LONGEST_ROW), start))) {
    return "beside";
  }
  return clarity === "password" ? "stated" : tie;
}

/** `DB_PASSWORD`, also as a compiler option. */
const VARIABLE = /^(?:-D)?[A-Z][A-Z\d_]*$/;
/** `;Server=` in a connection string. */
const NEXT_PAIR = /^;\s?[A-Z][\w ]{1,24}=/;
/** The longest beginning of a key: `spring.datasource.` */
const LONGEST_KEY = 60;

/** Whether the place allows no code: a shell or YAML variable, an option, or a line of a settings file. */
function isLiteral({ text, word, connector }: Join, value: Value): boolean {
  const { start, end, clarity } = word;
  const isClear =
    clarity === "password" || /secret/i.test(word.word) || /\d\D{0,40}\d/.test(value.text);
  if (!isClear) {
    return false; // API_KEY=na1.short
  }
  const isVariable = VARIABLE.test(text.slice(start, end));
  if (connector === "=") {
    if (isVariable || text.startsWith("--", start)) {
      return true;
    }
    if (NEXT_PAIR.test(text.slice(endOf(value), endOf(value) + 30))) {
      return true;
    }
  }
  const isLast = /^[\r\n]?$/.test(text.charAt(endOf(value)));
  if (value.quoted || !isLast || !/^(?:=|: | = )$/.test(connector)) {
    return false;
  }
  if (connector === ": " && isVariable) {
    return true;
  }
  return isSetting(text, start, connector, value);
}

/** Whether the name begins its line, as in a file of settings. */
function isSetting(text: string, start: number, connector: string, value: Value): boolean {
  const before =
    start < LONGEST_KEY ? `\n${text.slice(0, start)}` : text.slice(start - LONGEST_KEY, start);
  // The name of another variable contains no hyphen.
  if (isTwoWords(value.text) && value.text.includes("-")) {
    return /\n[ \t-]*[\w.]*$/.test(before);
  }
  return connector === "=" && /\n[\w.]*$/.test(before);
}

const END_OF_VALUE = /^(?:$|[\r\n;&,"')}<\\])/;

/** Whether an unquoted value is a word or a type in a sentence that continues. `Password=thisismyword;` isn't. */
function isWordOfSentence(text: string, value: Value): boolean {
  if (value.quoted || END_OF_VALUE.test(text.charAt(endOf(value)))) {
    return false;
  }
  return readsAsWord(value.text);
}

function readsAsWord(value: string): boolean {
  if (!/^[A-Za-z]+$/.test(value)) {
    return false;
  }
  const isOneWord = /^[A-Z]*[a-z]+$/.test(value); // payload, JWTPayload
  if (isOneWord) {
    return /^[A-Z]{2}/.test(value) || isWords(value);
  }
  return !looksRandom(value, 10) && (isWords(value) || isName(value));
}
