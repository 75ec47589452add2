import { type Budget, fits, shareOf } from "../../ground/core/budget.ts";
import { SentinelError } from "../../ground/core/errors.ts";
import { fenced, grouped, oneLine, present } from "../../ground/core/text.ts";
import { instantOfAge, localMinute } from "../../ground/core/time.ts";
import type { InputOf } from "../../ground/tool/tool.ts";
import { block, findLesson, markOver, References } from "../../lessons/for-bundles.ts";
import { beside, pageAnswer, wholeOf } from "../answers/page-answer.ts";
import { decisionsAnswer, saidAnswer } from "../answers/tool-answers.ts";
import { audienceOf, maySee, supersededByHidden } from "../bundle/audience.ts";
import { BUNDLE_PREFIX } from "../bundle/bundle.ts";
import { bundleText, givenText } from "../bundle/bundle-text.ts";
import { DEFAULT_MAX_TOKENS, type OpenedBundle, openBundle } from "../bundle/open-bundle.ts";
import { readSettings } from "../bundle/settings/settings.ts";
import { type BriefEvent, identityIn } from "../kinds/event.ts";
import { type AskingSession, askingSession } from "../projections/asking-session.ts";
import { type DecisionNow, withRefsNow } from "../projections/current-refs.ts";
import { decisionsOf, findDecisions } from "../projections/decisions.ts";
import { noteOnCitations } from "../storing/named-ids.ts";
import { say } from "../storing/say.ts";
import type * as tool from "./definitions.ts";
import type { Recording, SessionAnswer, SessionToolContext } from "./recording.ts";
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
  const recording = await record();
  await recording.catchUp();
  const keep = recording.bundles?.begin();
  const { project, lessons, store: events, ownWords } = recording;
  const stores = { project, lessons, events, ownWords, now: Date.now() };
  const { query = "", channel = "private", intent, handoff } = input;
  const { session } = await sessionOf(recording, input.session);
  const request = { query, channel, intent, handoff, session };
  let maxTokens = Math.min(input.max_tokens ?? DEFAULT_MAX_TOKENS, budget.tokens);
  let opened = await openBundle({ ...request, maxTokens }, stores);
  let text = bundleAnswer(opened, input, maxTokens);
  while (!fits(text, budget) && opened.bundle.sections.length > 0) {
    maxTokens = Math.floor(maxTokens * LESS);
    opened = await openBundle({ ...request, maxTokens }, stores);
    text = bundleAnswer(opened, input, maxTokens);
  }
  keep?.(opened.bundle, opened.query, stores.now);
  return { text, isData: input.format === "json", isPart: opened.isCut };
}

function bundleAnswer(
  { bundle, notes, isCut }: OpenedBundle,
  { format, max_tokens: asked = 0 }: InputOf<typeof tool.buildAcb>,
  maxTokens: number,
): string {
  // `openBundle` already reports limits from policies.
  const isLimited = asked > maxTokens && bundle.budget_tokens === maxTokens && isCut;
  const said = present(
    ...notes,
    isLimited &&
      `Limited to ${grouped(maxTokens)} tokens, about the most your client shows of an answer.`,
  );
  if (format === "json") {
    return JSON.stringify({ ...bundle, notes: said });
  }
  return [bundleText(bundle), ...said].join("\n");
}

export async function recordEvent(
  { content: stated, session: given, key, ...statement }: InputOf<typeof tool.recordEvent>,
  { record }: SessionToolContext,
): Promise<SessionAnswer> {
  const recording = await record();
  const { store, agent, channel, place, append } = recording;
  const { session, how } = await sessionOf(recording, given);
  const by = { type: "agent", id: agent } as const;
  const fields = statedContent(statement.kind, stated);
  const speaker = { session, agent, by, place: await place(), channel, key };
  const said = await say({ ...statement, fields }, speaker, store, append);
  const citations = await noteOnCitations(store, [said.event]);
  return { text: saidAnswer(said, how, await store.brief("ledger"), citations) };
}

/** The session of a call. @param given the session id from the agent. */
async function sessionOf(
  { store, agent, fallback }: Recording,
  given: string | undefined,
): Promise<AskingSession> {
  return askingSession(await store.brief("recent"), { given, agent, fallback });
}

/** @throws SentinelError `too_large` */
function mustBeShort(query = ""): void {
  if (query.length <= MOST_QUERY_CHARACTERS) {
    return;
  }
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
  const earliest = instantOfAge(since, Date.now());
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

/** The most ids in a call. */
const MOST_IDS = 10;
const BETWEEN_IDS = /[\s,]+/;
const OF_THE_LOG = /^(?:evt|chk|art|acb)_/;

/** @throws SentinelError `bad_argument`, `not_found`, `ambiguous`, `not_recorded`. */
export async function getArtifact(
  { ref, range, around }: InputOf<typeof tool.getArtifact>,
  { record, budget }: SessionToolContext,
): Promise<SessionAnswer> {
  const ids = [...new Set(ref.split(BETWEEN_IDS))].filter(Boolean);
  mustBeAsked(ids, range !== undefined || around !== undefined);
  const recording = await record();
  const share = shareOf(budget, 1 / ids.length);
  const texts: string[] = [];
  for (const id of ids) {
    const page = { range, around, budget: share };
    texts.push((await lessonAnswer(recording, id)) ?? (await pageOf(recording, id, page)));
  }
  return { text: texts.join("\n\n") };
}

interface Page {
  readonly range: string | undefined;
  readonly around: number | undefined;
  readonly budget: Budget;
}

/** A page of an item of the session log. @throws SentinelError `not_found`, `ambiguous`. */
async function pageOf(
  { store, bundles }: Recording,
  id: string,
  { range, around, budget }: Page,
): Promise<string> {
  const given = id.startsWith(BUNDLE_PREFIX) ? bundles?.find(id) : undefined;
  if (given) {
    const whole = { event: undefined, part: "bundle", text: givenText(given) };
    return pageAnswer(whole, range, undefined, budget);
  }
  const whole = await wholeOf(id, store);
  const isWithNear = around !== undefined && whole.event !== undefined;
  const near = isWithNear ? await beside(whole.event, around, store) : undefined;
  return pageAnswer(whole, range, near, budget);
}

/** @throws SentinelError `bad_argument`. */
function mustBeAsked(ids: readonly string[], isOfOne: boolean): void {
  if (ids.length === 0) {
    throw new SentinelError(
      "bad_argument",
      "ref is blank.",
      "Pass an id from an answer or the start of a session: evt_…, chk_…, art_…, acb_… or a lesson's id.",
    );
  }
  if (ids.length > MOST_IDS) {
    throw new SentinelError(
      "bad_argument",
      `ref has ${ids.length} ids.`,
      `Pass at most ${MOST_IDS} in a call.`,
    );
  }
  if (ids.length > 1 && isOfOne) {
    throw new SentinelError(
      "bad_argument",
      "range and around are for one id.",
      "Call again with one id, or without range and around.",
    );
  }
}

/** The lesson with an id, and the event that it was made from. Undefined without one. */
async function lessonAnswer({ lessons }: Recording, id: string): Promise<string | undefined> {
  if (!lessons || OF_THE_LOG.test(id)) {
    return undefined;
  }
  const snapshot = await lessons.read();
  const found = findLesson(snapshot, id);
  if ("none" in found) {
    return undefined;
  }
  const { version, also } = found.line;
  const lines = [block(version, 1, new References(snapshot).short(found.line), also)];
  if (version.meta.from !== undefined) {
    lines.push(`made from: ${oneLine(version.meta.from)}`);
  }
  return markOver(fenced([lines.join("\n")]), localMinute(Date.now()));
}
