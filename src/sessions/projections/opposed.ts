/** Finds contradicting decisions: the same words except for a "no" or a figure, or one chooses what the other rejected. Pure. */
import { compare } from "../../ground/core/text.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import type { Decision } from "./decisions.ts";
import { figuresIn } from "./figures.ts";

type Statement = ReturnType<typeof statementOf>;

const REASON = /[;.。；](?:\s|$)|,? (?:because|since|so)\b/;
/** Words that limit a statement to some cases, so it can't be compared as a whole. */
const PARTLY =
  /\b(?:if|unless|until|except|only|but|when|while|once|without|where|temporar\w*|optional\w*|default|now|nor|either|and|first|was|were)\b|, |\S no\b|(?<=\p{Script=Hangul})만(?=\s)|如果|只|仅|除|默认/iu;
const NO =
  /^no\b|\b(?:not|never|cannot|none|nobody|forbid(?:s|den)?|banned|disallow(?:ed)?|\w+n['’]t)\b|不(?![同仅断])|禁止|하지 (?:않|말|못)\S*/gi;
/** Verbs and particles that negate by themselves. */
const AWAY = /\b(?:avoid|delet|disabl|drop|prevent|remov|replac|stop)|\b(?:off|out)\b/i;
/** If two texts differ in these words, they are about different things. */
const SIDES = /\b(?:after|before|from|into|off|on|out|to)\b/g;
const BAN = /^(?:no|never|do not|don['’]t)\b/i;
/** Words that don't change the subject of a decision. */
const LIGHT =
  "after allow always before call cap choose decide every get go keep limit live may must name need new per permit pick put run save set store take team use valid want 한다 使用";
const CARRIERS = new Set(tokenize(LIGHT));
const REJECTED =
  /(?:, not| instead of| rather than| in place of| over) (?:the |an? )?([\w@/.+#-]*[\w+#])/gi;
/** Only texts with one of these set a figure. Others just report a count. */
const SETS = /\b(?:after|at|cap\w*|every|is|are|least|limit\w*|most|to)\b|[=:]|[^\0-\x7f]/i;

/** @param decisions that are in force. @returns each contradicting pair: `decision` is the older one, `event` the newer one. */
export function opposedAmong(decisions: readonly Decision[]) {
  // Skips answers, because their meaning depends on the question.
  const said = decisions
    .filter(({ question }) => question === undefined)
    .toSorted((a, b) => compare(a.ts, b.ts));
  const all = said.map((made) => ({ ...made, statement: statementOf(made) }));
  return all.flatMap((newer, at) =>
    all
      .slice(0, at)
      .filter((older) => oppose(older.statement, newer.statement))
      .map(({ id, decision }) => ({
        decision: id,
        says: decision,
        event: newer.id,
        against: newer.decision,
      })),
  );
}

function statementOf({ decision, alternatives }: Pick<Decision, "decision" | "alternatives">) {
  const [first = ""] = decision.split(REASON);
  const text = first.replace(REJECTED, "").replace(/\btim(?:es?|ed|ing) out\b/gi, "timeout");
  // Korean negates with a verb ending.
  const { figures, rest } = figuresIn(
    text.replace(NO, (no) => (no.startsWith("하지") ? "한다" : "")),
  );
  return {
    text,
    isWhole: !PARTLY.test(text),
    sides: text.toLowerCase().match(SIDES)?.join(" ") ?? "",
    noes: text.match(NO)?.length ?? 0,
    terms: termsIn(rest),
    figures,
    rejected: [
      ...alternatives,
      ...Array.from(first.matchAll(REJECTED), ([, name = ""]) => name),
    ].map(termsIn),
  };
}

function oppose(a: Statement, b: Statement): boolean {
  if (!a.isWhole || !b.isWhole) return false;
  const [said, denied] = a.noes === 0 ? [a, b] : [b, a];
  if (a.noes !== b.noes) return said.noes === 0 && denied.noes === 1 && breaks(said, denied);
  return differInFigure(a, b) || rejects(a, b) || rejects(b, a);
}

/** Whether a text states exactly what the other one denies. Against a ban it may have one more word. */
function breaks(said: Statement, { text, terms, figures }: Statement): boolean {
  const most = BAN.test(text) ? terms.length + 1 : terms.length;
  const isSaid = AWAY.test(said.text) === AWAY.test(text) && figures.length === 0;
  return isSaid && terms.length > 1 && isIn(said.terms, terms) && said.terms.length <= most;
}

/** Compares only statements with one figure each. */
function differInFigure(a: Statement, b: Statement): boolean {
  const [[one, ...more], [other, ...others]] = [a.figures, b.figures];
  if (!one || !other || more.length + others.length > 0 || one.unit !== other.unit) return false;
  const isSet = one.named !== "" || (SETS.test(a.text) && SETS.test(b.text));
  const areSame = a.terms.length === b.terms.length && isIn(a.terms, b.terms);
  const areOfOneSide = a.sides === b.sides || a.sides === "" || b.sides === "";
  return one.value !== other.value && isSet && areSame && areOfOneSide && a.terms.length > 1;
}

/** Whether the other text chooses an alternative that this one rejected, on mostly the same subject. */
function rejects({ rejected, terms }: Statement, other: Statement): boolean {
  const chosen = other.terms.filter((term) => !terms.includes(term));
  const shared = other.terms.length - chosen.length;
  const isRejected = rejected.some(
    ([first = "", ...more]) => chosen.includes(first) && isIn([first, ...more], chosen),
  );
  return isRejected && 2 * shared >= terms.length && !AWAY.test(other.text);
}

const termsIn = (text: string): string[] =>
  [...new Set(tokenize(text))].filter((term) => !CARRIERS.has(term));
const isIn = (terms: readonly string[], some: readonly string[]): boolean =>
  some.every((term) => terms.includes(term));
