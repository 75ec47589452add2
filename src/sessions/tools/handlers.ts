import { fits } from "../../ground/core/budget.ts";
import { SentinelError } from "../../ground/core/errors.ts";
import { grouped, present } from "../../ground/core/text.ts";
import { instantOfAge } from "../../ground/core/time.ts";
import type { InputOf } from "../../ground/tool/tool.ts";
import { decisionsAnswer } from "../answers/decisions-answer.ts";
import { beside } from "../answers/neighbours.ts";
import { pageAnswer } from "../answers/page-answer.ts";
import { saidAnswer } from "../answers/said-answer.ts";
import { wholeOf } from "../answers/whole-text.ts";
import { audienceOf, maySee, supersededByHidden } from "../bundle/audience.ts";
import { BUNDLE_PREFIX } from "../bundle/bundle.ts";
import { bundleText, givenText } from "../bundle/bundle-text.ts";
import { DEFAULT_MAX_TOKENS, openBundle } from "../bundle/open-bundle.ts";
import { readSettings } from "../bundle/settings/settings.ts";
import { type BriefEvent, identityIn } from "../kinds/event.ts";
import { type DecisionNow, withRefsNow } from "../projections/current-refs.ts";
import { decisionsOf } from "../projections/decisions.ts";
import { findDecisions } from "../projections/find-decisions.ts";
import { noteOnCitations } from "../storing/named-ids.ts";
import { say } from "../storing/say.ts";
import type { SessionAnswer, SessionToolContext } from "./context.ts";
import type * as tool from "./definitions.ts";
import { statedContent } from "./usual-names.ts";

/** Some clients limit characters or bytes, not only tokens. Then the bundle is rebuilt with a smaller budget. */
const LESS = 0.8;
/** Enough for a question with a pasted log. Longer queries would block a daemon. */
const MOST_QUERY_CHARACTERS = 32_768;

export async function buildAcb(
  input: InputOf<typeof tool.buildAcb>,
  { record, bundleBudget: budget }: Pick<SessionToolContext, "record" | "bundleBudget">,
): Promise<SessionAnswer> {
  mustBeShort(input.query);
  const { project, lessons, store, ownWords, askingSession, catchUp, bundles } = await record();
  await catchUp();
  const keep = bundles?.begin();
  const { query = "", channel = "private", format, handoff, max_tokens: asked, intent } = input;
  const { session } = await askingSession(input.session);
  const stores = { project, lessons, events: store, ownWords, now: Date.now() };
  const most = Math.min(asked ?? DEFAULT_MAX_TOKENS, budget.tokens);
  for (let maxTokens = most; ; maxTokens = Math.floor(maxTokens * LESS)) {
    const {
      bundle,
      query: asking,
      notes,
      isCut,
    } = await openBundle({ query, intent, session, channel, handoff, maxTokens }, stores);
    // `openBundle` already reports limits from policies.
    const said = present(
      ...notes,
      (asked ?? 0) > maxTokens &&
        bundle.budget_tokens === maxTokens &&
        isCut &&
        `Limited to ${grouped(maxTokens)} tokens, about the most your client shows of an answer.`,
    );
    const text =
      format === "json"
        ? JSON.stringify({ ...bundle, notes: said })
        : [bundleText(bundle), ...said].join("\n");
    if (fits(text, budget) || bundle.sections.length === 0) {
      keep?.(bundle, asking, stores.now);
      return { text, isData: format === "json", isPart: isCut };
    }
  }
}

export async function recordEvent(
  { content: stated, session: given, key, ...statement }: InputOf<typeof tool.recordEvent>,
  { record }: SessionToolContext,
): Promise<SessionAnswer> {
  const { store, agent, channel, ownWords, askingSession, place, append } = await record();
  const { session, how } = await askingSession(given);
  const by = { type: "agent", id: agent } as const;
  const { content, notes } = statedContent(statement.kind, stated);
  const speaker = { session, agent, by, place: await place(), channel, words: ownWords, key };
  const said = await say({ ...statement, fields: content }, speaker, store, append);
  const citations = await noteOnCitations(store, [said.event]);
  const answer = saidAnswer(said, how, await store.brief("ledger"), citations);
  return { text: [answer, ...notes].join("\n") };
}

/** @throws SentinelError `too_large` */
function mustBeShort(query = ""): void {
  if (query.length <= MOST_QUERY_CHARACTERS) return;
  throw new SentinelError(
    "too_large",
    `The query has ${grouped(query.length)} characters. ${grouped(MOST_QUERY_CHARACTERS)} is the most.`,
    "Ask with its key words, and other words for them.",
  );
}

export async function queryDecisions(
  input: InputOf<typeof tool.queryDecisions>,
  { record, budget }: SessionToolContext,
): Promise<SessionAnswer> {
  const { decisions, known } = await decisionsFor(input, { record });
  return { text: decisionsAnswer(decisions, known, budget) };
}

/** The decisions that match and that the channel may see, best first, and the number of all that it may see. */
export async function decisionsFor(
  { query, status, since, channel = "private" }: InputOf<typeof tool.queryDecisions>,
  { record }: Pick<SessionToolContext, "record">,
): Promise<{ readonly decisions: readonly DecisionNow[]; readonly known: number }> {
  mustBeShort(query);
  const earliest = since === undefined ? undefined : instantOfAge(since, Date.now());
  const { store, project } = await record();
  const [ledger, settings] = await Promise.all([store.brief("ledger"), readSettings(project)]);
  const audience = audienceOf(channel, settings);
  const isSeen = (event: BriefEvent) => maySee(audience, event);
  const replaced = supersededByHidden(ledger, audience);
  const known = decisionsOf(
    ledger.filter((event) => isSeen(event) && !replaced.has(identityIn(event.id))),
  );
  const found = findDecisions(known, { query, status, since: earliest });
  return { decisions: await withRefsNow(found, store, isSeen), known: known.length };
}

export async function getArtifact(
  { ref, range, around }: InputOf<typeof tool.getArtifact>,
  { record, budget }: SessionToolContext,
): Promise<SessionAnswer> {
  if (ref.trim() === "")
    throw new SentinelError(
      "bad_argument",
      "ref is blank.",
      "Pass an id from an answer or the start of a session: evt_…, chk_…, art_… or acb_….",
    );
  const { store, bundles } = await record();
  const given = ref.trim().startsWith(BUNDLE_PREFIX) ? bundles?.find(ref.trim()) : undefined;
  if (given)
    return {
      text: pageAnswer(
        { event: undefined, part: "bundle", text: givenText(given) },
        range,
        undefined,
        budget,
      ),
    };
  const whole = await wholeOf(ref.trim(), store);
  const near =
    around !== undefined && whole.event ? await beside(whole.event, around, store) : undefined;
  return { text: pageAnswer(whole, range, near, budget) };
}
