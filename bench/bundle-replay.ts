/** Replays coding sessions into a real record, and asks for a bundle at each moment, as if all of it happened now. */
import type { BundleRequest } from "../src/sessions/bundle/bundle.ts";
import { updateBriefs } from "../src/sessions/files/briefs.ts";
import { JsonlEventStore } from "../src/sessions/files/store.ts";
import type { Content, Event, EventDraft } from "../src/sessions/kinds/event.ts";
import type { EventStore } from "../src/sessions/store.ts";
import { removeFolder, scratchFolder } from "../test/support/scratch.ts";
import { UNREDACTED } from "../test/support/unredacted.ts";
import type { Sessions } from "./coding-sessions.ts";
import { type Moment, momentsOf } from "./moments.ts";

export const BUNDLE_TOKENS = 4_000;

/** A moment with what was recorded before it. Paths are relative, as captures store them. */
export interface Replayed {
  readonly moment: Moment;
  /** Before it, in order of time. */
  readonly before: readonly Event[];
  readonly request: BundleRequest;
  readonly store: EventStore;
  /** In ms since 1970. */
  readonly now: number;
}

/** Every moment, or what is picked instead, in order of time. The prompt itself is not recorded yet: a hook would ask before any capture. */
export async function* replay(sessions: Sessions, pick = momentsOf): AsyncGenerator<Replayed> {
  const events = withRelativePaths(sessions.events);
  const folder = scratchFolder("replay");
  let now = 0;
  const store = new JsonlEventStore({ folder, redactor: UNREDACTED, now: () => now });
  let recorded = 0;
  try {
    for (const moment of pick(events)) {
      now = Date.parse((events[moment.at] as Event).ts);
      await store.append(events.slice(recorded, moment.at).map(draftOf));
      recorded = moment.at;
      await store.exclusively(() => updateBriefs(folder, now));
      yield { moment, before: events.slice(0, moment.at), request: requestAt(moment), store, now };
    }
  } finally {
    removeFolder(folder);
  }
}

/** After a compaction nobody has asked for anything yet. */
function requestAt({ kind, session, prompt }: Moment): BundleRequest {
  const query = kind === "after compaction" ? "" : prompt;
  return { query, session, channel: "private", maxTokens: BUNDLE_TOKENS };
}

function draftOf({
  content: { excerpt_text, truncated: _, ...content },
  ...event
}: Event): EventDraft {
  return {
    ...event,
    content: excerpt_text === undefined ? content : { ...content, text: excerpt_text },
  };
}

function withRelativePaths(events: readonly Event[]): Event[] {
  const root = rootOf(events);
  const relative = (content: Content) =>
    JSON.parse(JSON.stringify(content).replaceAll(root, "")) as Content;
  return events.map((event) => ({ ...event, content: relative(event.content) }));
}

/** The deepest folder that nearly all files have in common, with a slash at its end. */
function rootOf(events: readonly Event[]): string {
  const counts = new Map<string, number>();
  const paths = events.flatMap(({ content: { path } }) => (typeof path === "string" ? [path] : []));
  for (const path of paths)
    for (const { index } of path.matchAll(/(?<=.)\//g)) {
      const folder = path.slice(0, index + 1);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  const common = [...counts]
    .filter(([, count]) => count > 0.9 * paths.length)
    .map(([folder]) => folder);
  return common.sort((a, b) => b.length - a.length)[0] ?? "";
}
