import { fits } from "../../../ground/core/budget.ts";
import { oneLine } from "../../../ground/core/text.ts";
import { bundleText } from "../../bundle/bundle-text.ts";
import { intentNamed } from "../../bundle/intent.ts";
import { DEFAULT_MAX_TOKENS, openBundle } from "../../bundle/open-bundle.ts";
import type { BundleRequest, Intent } from "../../bundle/request.ts";
import type { SessionAnswer, SessionToolContext } from "../context.ts";
import type { Input } from "./definition.ts";

/** A client may cut in characters or bytes sooner than in tokens: then the bundle is made again for less. */
const LESS = 0.8;
/** In characters. */
const MOST_OF_A_NAME = 40;

export async function handle(
  input: Input,
  { record, bundleBudget: budget }: SessionToolContext,
): Promise<SessionAnswer> {
  const { project, lessons, store, ownWords, askingSession, catchUp } = await record();
  await catchUp();
  const { query = "", channel = "private", format, handoff, max_tokens = DEFAULT_MAX_TOKENS } = input;
  const intent = input.intent === undefined ? undefined : intentNamed(input.intent);
  const { session } = await askingSession(input.session);
  const stores = { project, lessons, events: store, ownWords, now: Date.now() };
  for (let maxTokens = Math.min(max_tokens, budget.tokens); ; maxTokens = Math.floor(maxTokens * LESS)) {
    const request: BundleRequest = { query, intent, session, channel, handoff, maxTokens };
    const { bundle, notes } = await openBundle(request, stores);
    const said = [...notes, ...takenAs(input.intent, intent), ...tooLarge(input, maxTokens)];
    const text =
      format === "json" ? JSON.stringify({ ...bundle, notes: said }) : [bundleText(bundle), ...said].join("\n");
    if (fits(text, budget) || bundle.sections.length === 0) return { text, isData: format === "json" };
  }
}

function takenAs(given: string | undefined, intent: Intent | undefined): string[] {
  if (given === undefined || intent === undefined || given === intent) return [];
  return [`Intent ${oneLine(given).slice(0, MOST_OF_A_NAME)} is taken as ${intent}.`];
}

/** What policies allow less than was asked for, `openBundle` tells. */
function tooLarge({ max_tokens }: Input, made: number): string[] {
  if (max_tokens === undefined || max_tokens <= made) return [];
  return [`Made for ${made.toLocaleString("en")} tokens, about as much as your client shows of an answer.`];
}
