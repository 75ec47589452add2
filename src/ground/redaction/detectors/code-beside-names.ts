/** Code beside a credential's name: what stands there is no value of its own. */
import { isDigest, isLabel, isName, isWords, looksRandom } from "../shape.ts";
import type { KeyWord } from "./key-words.ts";
import type { Value } from "./values.ts";

/** `salt=salt`, `PrivateDevices=` */
const ARGUMENT = /^[A-Za-z_]\w*=/;
/** Base64 ends like an argument whose value is cut off. */
const PADDED = /\w==?$/;
/** GetSecretValue2 */
const THREE_WORDS = /^[A-Za-z][a-z]+(?:[A-Z][a-z]+){2,}\d?$/;
/** `typeof this.password === 'function'` */
const TYPE_OF = /\btypeof\s[\w$.?!#]{0,60}$/;
const PLAIN_WORD = /^[A-Za-z]+$/;
/** `getCredentials`, `tokenFor`: a call that looks something up. */
const LOOKUP =
  /^(?:get|load|fetch|read|find|look_?up|has|have|is|select|require|resolve|expect|assert|check|validate|test|parse|register|create|rotate|revoke|delete|remove|list|need|use|mock|show|hide)s?(?=[A-Z_])|(?:For|From|Named|By|Of|Type|Kind|Name|Provider|Client|_for|_from|_by|_of|_name)$/;
/** What only names a credential: a path, or `blue_fixture_password3`. */
const LABELLED = /\/|passw|secret|token|credential/i;
/** `f(secret, "label"`: the bracket that is open before the name. */
const ARGUMENTS = /\w\([^()\n]{0,160}$/;
/** `ghcr.io/acme/secret-agent:`, `acme/token@`: the path that a name ends. */
const PATH_BEFORE = /(?<![\w/])[\w.-]+(?:\/[\w.-]+)*\/$/;
/** `dpopXsrfJwt`: another variable for a credential. */
const ENDS_AS_CREDENTIAL =
  /^[A-Za-z_$][\w$]*[a-z\d_](?:Jw[tseka]|JW[TSEKA]|To?ke?n|Creds?|Secret|Key|Auth)\d?$/;
/** What only code has, and sentences, settings and logs have not. */
const CODE_SIGNS =
  /=>|\bfunction\b|void 0|[=(,:&|?]![01]\b|[!=]==|&&|\)\{|\}\)|\(\{|\breturn\b|\b(?:var|let|const)\b|\?\?|\w\(\w{1,2}[,)]|\}:\{|\?\{|\bthis\.|=\w{1,3}\.\w+=/;
/** Characters around a name and its value in which such a sign counts. */
const AROUND = 80;
/** A chain of names, and what an expression goes on with. */
const IDENTIFIERS = /^[\w$]+(?:(?:\?\.|!?\.#?)[\w$]+)*(?:$|(?=[^@#%^~]*$)[,=&|?:+<>!)}\]])/;

/** Whether the value is code: a variable, an argument, an item, a kind. @param isAssigned whether the connector says that it is one. */
export function isReference(
  text: string,
  word: KeyWord,
  connector: string,
  value: Value,
  isAssigned: boolean,
): boolean {
  if (value.quoted) return isArgument(text, word, connector, value.text);
  if (!isAssigned && ARGUMENT.test(value.text))
    return !(PADDED.test(value.text) && looksRandom(value.text, 10));
  if (/[!=]=/.test(connector) && IDENTIFIERS.test(value.text)) return true;
  if (/^(?:[^\s.]*[:=]|>)$/.test(connector) && isInCode(text, word.start, value)) return true;
  if (
    connector === ":" &&
    isDigest(value.text) &&
    PATH_BEFORE.test(text.slice(Math.max(0, word.start - 120), word.start))
  )
    return true;
  const [own, other] = [letters(text.slice(word.start, word.end)), letters(value.text)];
  if (other.length > 3 && own.endsWith(other)) return true;
  if (word.clarity !== "password" && ENDS_AS_CREDENTIAL.test(value.text)) return true;
  if (word.clarity === "password" || !isName(value.text)) return false;
  return THREE_WORDS.test(value.text) || value.text.includes(".") || other.includes(own);
}

/** A string that names something: an item of a list, the argument of a call, a type. */
function isArgument(
  text: string,
  { start, wordEnd, end, clarity }: KeyWord,
  connector: string,
  value: string,
): boolean {
  const isPlain = PLAIN_WORD.test(value);
  if (
    /^\s?,/.test(connector) &&
    isLabel(value) &&
    ARGUMENTS.test(text.slice(Math.max(0, start - 160), start))
  )
    return true;
  if (connector.includes(",")) return isWords(value) || (isPlain && !text.startsWith("--", start)); // ["email", "password"]
  if (connector.startsWith("(")) {
    if (isPlain) return end > wordEnd; // pw_has("change")
    const isLookup =
      clarity !== "password" || LABELLED.test(value) || LOOKUP.test(text.slice(start, end));
    return isLookup && isLabel(value); // a token is random, a password may read as a label
  }
  return isPlain && TYPE_OF.test(text.slice(Math.max(0, start - 70), start));
}

/** Without what differs between spellings of one name. */
const letters = (name: string): string => name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();

/** `{token:gH2k,…}` between signs of code. */
function isInCode(text: string, start: number, value: Value): boolean {
  if (!IDENTIFIERS.test(value.text)) return false;
  const end = value.start + value.text.length;
  return (
    CODE_SIGNS.test(text.slice(Math.max(0, start - AROUND), start)) ||
    CODE_SIGNS.test(text.slice(end, end + AROUND))
  );
}
