import { NO_OWN_WORDS, type OwnWords } from "../../ground/redaction/own-words.ts";
import { daemonOf } from "../../sessions/consent/daemon-log.ts";
import { forgetDaemonBriefs } from "../../sessions/files/briefs.ts";
import { JsonlEventStore } from "../../sessions/files/store.ts";
import { RemoteEventStore } from "../../sessions/remote/store.ts";
import type { EventStore } from "../../sessions/store.ts";
import { eventRedactor } from "../../sessions/storing/redactor.ts";

/** Opens the store in the folder, or at the daemon named in its manifest. @param words words that are never stored. @throws SentinelError `unauthorised`, `not_private`. */
export function openEvents(folder: string, words: OwnWords = NO_OWN_WORDS): EventStore {
  const redactor = eventRedactor(words);
  const daemon = daemonOf(folder);
  if (daemon)
    return new RemoteEventStore({
      ...daemon,
      redactor,
      onTakenOut: () => forgetDaemonBriefs(folder),
    });
  return new JsonlEventStore({ folder, redactor, now: Date.now });
}
