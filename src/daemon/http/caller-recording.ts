import { NO_OWN_WORDS } from "../../ground/redaction/own-words.ts";
import type { Recording } from "../../sessions/tools/recording.ts";
import { allowedDrafts, type Opened } from "./caller.ts";

/** The session log for the tools of a caller without a clone. @param agent the client's name in events. */
export async function recordingOf(
  { caller, events: store, shared }: Opened,
  agent: string,
): Promise<Recording> {
  const { texts, lessons } = await shared();
  return {
    project: texts,
    lessons: lessons && { read: async () => lessons },
    store,
    // A person's own words stay in the person's clone.
    ownWords: NO_OWN_WORDS,
    agent,
    channel: caller.channel,
    // The daemon can't read transcripts on the caller's machine.
    catchUp: async () => {},
    fallback: `${caller.id.slice(0, 8)}-mcp`,
    place: async () => ({}),
    append: async (draft) => (await store.append(allowedDrafts([draft], caller)))[0],
  };
}
