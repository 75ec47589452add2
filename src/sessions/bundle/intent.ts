/** Derives the kind of help from the words of a query, in English, Korean and Chinese. Pure. (docs/design/sessions.md, "The bundle") */
import { type BundleRequest, INTENTS, type Intent } from "./bundle.ts";

/** The first match counts: "why did we choose it, and how do we go on" asks for a decision. */
const SIGNS: readonly (readonly [Intent, RegExp])[] = [
  [
    "decision",
    /\b(?:why (?:did|do|does|is|was|were|are|not|we)|decid\w*|decision\w*|chose\w*|choose|agreed|rationale|instead of)\b|왜|결정|정했|선택한|이유|为什么|为何|[决決]定|选择了|理由/i,
  ],
  [
    "onboarding",
    /\bwhat(?:'s| is| does)? (?:this|the) (?:project|repo\w*|code ?base|app\w*|program|service)\b|\bwhat is this for\b|\b(?:overview|onboard\w*|get started|main modules|architecture|entry ?points?)\b|\bhow (?:do|can|to) (?:i |we |you )?(?:run|start|build|install|test) (?:it|this|(?:its|the) (?:tests?|project|app|server))\b|\bwh(?:at|ich) tests (?:exist|are there|does it have)\b|\bwhere(?:'s| is) (?:its|the) (?:public )?api (?:defined|declared|exported)\b|(?:이|무슨) ?(?:프로젝트|저장소|레포)|구조를? 설명|(?:这个|本)(?:项目|仓库|代码库)|项目结构/i,
  ],
  [
    "recall",
    /\b(?:when did|what did (?:we|i|you)|did (?:we|i|you)|have we|last time|earlier|remember|recall|find (?:the|where|what)|look up|where (?:is|are|was|did)|previously|we (?:said|had|saw))\b|기억|지난번|저번|예전|언제|어디|찾아|上次|之前|记得|什么时候|哪里|找到/i,
  ],
];
/** Matches requests to continue, which name no subject. */
const CONTINUE =
  /^\W*(?:(?:please|ok(?:ay)?|yes|yep|sure|now|then|and)\W+)*(?:continue|carry on|go on|go ahead|keep going|proceed|resume|next(?: step)?|do it|weiter|계속(?:해(?:줘|주세요)?|하자)?|이어서(?: ?해줘)?|진행(?:해(?:줘|주세요)?)?|继续(?:吧)?|接着(?:做|来)?|下一步)(?:\W+.{0,60})?$/isu;
/** Longer queries name a subject. */
const MOST_TO_CONTINUE = 80;

/** From the caller's name for the intent, else from the query. */
export const intentOf = ({ intent, query }: Pick<BundleRequest, "intent" | "query">): Intent =>
  intent?.trim() ? named(intent) : asked(query);

/** An empty query continues. */
function asked(query: string): Intent {
  const text = query.trim();
  if (text === "" || (text.length <= MOST_TO_CONTINUE && CONTINUE.test(text))) {
    return "continue";
  }
  return SIGNS.find(([, signs]) => signs.test(text))?.[0] ?? "task";
}

/** Other agent loops' names for the intents. The first match counts: "explain_why" asks for a decision. */
const NAMES: readonly (readonly [Intent, RegExp])[] = [
  ["decision", /why|rationale|reason|\badr/i],
  ["continue", /resum|hand.?(?:off|over)|pick.?up|continu/i],
  [
    "onboarding",
    /\btour|intro|explain|explor|orient|getting started|first.?look|walk.?through|온보딩|入门/i,
  ],
  ["recall", /look.?up|search|retriev|find|recal|histor|\bask\b|question|回忆/i],
];

/** Reads a name as one of the intents, else as a query, else as another loop's name. */
function named(name: string): Intent {
  const words = name.replaceAll(/[_-]+/g, " ");
  const known = INTENTS.find((intent) => intent === name) ?? asked(words);
  return known === "task" ? (NAMES.find(([, names]) => names.test(words))?.[0] ?? known) : known;
}

/** Whether a query asks for superseded decisions, too. */
export function asksForHistory(query: string): boolean {
  return /\b(?:history|superseded|used to|previously|before that|changed? (?:our|the) (?:mind|decision)|no longer|earlier decisions?|formerly)\b|이전 결정|변경 이력|历史|以前的决定/i.test(
    query,
  );
}
