/** Recognizes code after the name of a credential: a variable, an argument or a type instead of a value. */
import { isDigest, isLabel, isName, isWords, looksRandom } from "../values/shape.ts";
import type { KeyWord } from "./key-words.ts";
import type { Value } from "./read-value.ts";

/** `salt=salt`, `PrivateDevices=` */
const ARGUMENT = /^[A-Za-z_]\w*=/;
/** The end of base64, which looks like an argument without its value. */
const PADDED = /\w==?$/;
/** GetSecretValue2 */
const THREE_WORDS = /^[A-Za-z][a-z]+(?:[A-Z][a-z]+){2,}\d?$/;
/** `dpopXsrfJwt`: another variable for a credential. */
const ENDS_AS_CREDENTIAL =
  /^[A-Za-z_$][\w$]*[a-z\d_](?:Jw[tseka]|JW[TSEKA]|To?ke?n|Creds?|Secret|Key|Auth)\d?$/;
/** A chain of names, and the way an expression may continue. */
const IDENTIFIERS = /^[\w$]+(?:(?:\?\.|!?\.#?)[\w$]+)*(?:$|(?=[^@#%^~]*$)[,=&|?:+<>!)}\]])/;

/** Whether the value is code. @param isAssigned whether the connector assigns it to the name. */
export function isReference(
  text: string,
  word: KeyWord,
  connector: string,
  value: Value,
  isAssigned: boolean,
): boolean {
  if (value.quoted) {
    return isArgument(text, word, connector, value.text);
  }
  if (!isAssigned && ARGUMENT.test(value.text)) {
    return !(PADDED.test(value.text) && looksRandom(value.text, 10));
  }
  return (
    isCompared(connector, value) ||
    isMinified(text, word, connector, value) ||
    isImageDigest(text, word, connector, value) ||
    isOtherName(text.slice(word.start, word.end), value.text) ||
    (word.clarity !== "password" && isVariable(text.slice(word.start, word.end), value.text))
  );
}

/** `token === other.token` */
const isCompared = (connector: string, value: Value): boolean =>
  /[!=]=/.test(connector) && IDENTIFIERS.test(value.text);

/** Signs that appear only in code, not in sentences, settings or logs. */
const CODE_SIGNS =
  /=>|\bfunction\b|void 0|[=(,:&|?]![01]\b|[!=]==|&&|\)\{|\}\)|\(\{|\breturn\b|\b(?:var|let|const)\b|\?\?|\w\(\w{1,2}[,)]|\}:\{|\?\{|\bthis\.|=\w{1,3}\.\w+=/;
/** The characters around a name and its value in which such a sign counts. */
const AROUND = 80;

/** `{token:gH2k,…}` in minified code. */
function isMinified(text: string, { start }: KeyWord, connector: string, value: Value): boolean {
  const isTight = /^(?:[^\s.]*[:=]|>)$/.test(connector);
  if (!isTight || !IDENTIFIERS.test(value.text)) {
    return false;
  }
  const end = value.start + value.text.length;
  const before = text.slice(Math.max(0, start - AROUND), start);
  return CODE_SIGNS.test(before) || CODE_SIGNS.test(text.slice(end, end + AROUND));
}

/** `ghcr.io/acme/secret-agent:`, `acme/token@`: a path that ends with the name. */
const PATH_BEFORE = /(?<![\w/])[\w.-]+(?:\/[\w.-]+)*\/$/;
const LONGEST_PATH = 120;

/** `ghcr.io/acme/secret-agent:16cf…` */
function isImageDigest(text: string, { start }: KeyWord, connector: string, value: Value): boolean {
  if (connector !== ":" || !isDigest(value.text)) {
    return false;
  }
  return PATH_BEFORE.test(text.slice(Math.max(0, start - LONGEST_PATH), start));
}

/** `dbPassword = password`: the value repeats the end of the name. */
function isOtherName(name: string, value: string): boolean {
  const repeated = lettersOf(value);
  return repeated.length > 3 && lettersOf(name).endsWith(repeated);
}

function isVariable(name: string, value: string): boolean {
  if (ENDS_AS_CREDENTIAL.test(value)) {
    return true;
  }
  if (!isName(value)) {
    return false;
  }
  const containsName = lettersOf(value).includes(lettersOf(name));
  return THREE_WORDS.test(value) || value.includes(".") || containsName;
}

/** Removes the differences between spellings of a name. */
const lettersOf = (name: string): string => name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();

const PLAIN_WORD = /^[A-Za-z]+$/;
/** `f(secret, "label"`: the bracket that is open before the name. */
const ARGUMENTS = /\w\([^()\n]{0,160}$/;
/** `typeof this.password === 'function'` */
const TYPE_OF = /\btypeof\s[\w$.?!#]{0,60}$/;

/** Whether the value is only a name: an item of a list, the argument of a call, or a type. */
function isArgument(text: string, word: KeyWord, connector: string, value: string): boolean {
  const before = (length: number) => text.slice(Math.max(0, word.start - length), word.start);
  if (/^\s?,/.test(connector) && isLabel(value) && ARGUMENTS.test(before(160))) {
    return true;
  }
  if (connector.includes(",")) {
    return isListItem(text, word, value);
  }
  if (connector.startsWith("(")) {
    return isCallArgument(text, word, value);
  }
  return PLAIN_WORD.test(value) && TYPE_OF.test(before(70));
}

/** `["email", "password"]` */
function isListItem(text: string, { start }: KeyWord, value: string): boolean {
  return isWords(value) || (PLAIN_WORD.test(value) && !text.startsWith("--", start));
}

/** `getCredentials`, `tokenFor`: a call that looks something up. */
const LOOKUP =
  /^(?:get|load|fetch|read|find|look_?up|has|have|is|select|require|resolve|expect|assert|check|validate|test|parse|register|create|rotate|revoke|delete|remove|list|need|use|mock|show|hide)s?(?=[A-Z_])|(?:For|From|Named|By|Of|Type|Kind|Name|Provider|Client|_for|_from|_by|_of|_name)$/;
/** The name of a credential: a path, or `blue_fixture_password3`. */
const LABELLED = /\/|passw|secret|token|credential/i;

/** `pw_has("change")`, `getToken("db/main")`. A token looks random, but a password may read like a label. */
function isCallArgument(text: string, word: KeyWord, value: string): boolean {
  if (PLAIN_WORD.test(value)) {
    return word.end > word.wordEnd;
  }
  const isLookup =
    word.clarity !== "password" ||
    LABELLED.test(value) ||
    LOOKUP.test(text.slice(word.start, word.end));
  return isLookup && isLabel(value);
}
