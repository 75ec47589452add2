/** Builds what an agent would get for a query, with where each item comes from; nothing is recorded or captured for it. */
import type { Bundle } from "../../sessions/bundle/bundle.ts";
import { DEFAULT_MAX_TOKENS, openBundle } from "../../sessions/bundle/open-bundle.ts";
import { inTime, isOfCommandLine, isOwn } from "../../sessions/kinds/event.ts";
import type { SessionLog } from "./session-log.ts";
import type { ViewerContext } from "./viewer.ts";

/** As `context` asks for one: in the person's newest session. */
export async function bundleFor(
  { project, lessons, readPrivacy }: ViewerContext,
  log: SessionLog,
  query: string,
): Promise<Bundle> {
  const { store: events } = await log.open();
  const recent = inTime(await events.brief("recent"));
  const session = recent.findLast((event) => isOwn(event) && !isOfCommandLine(event))?.session ?? "";
  const request = { query, session, maxTokens: DEFAULT_MAX_TOKENS, channel: "private" as const };
  const { known: ownWords } = await readPrivacy();
  return (await openBundle(request, { project, lessons, events, ownWords, now: Date.now() })).bundle;
}
