/** The stores of a project, as the server and the command line open them. */
import { forgetRecent } from "../events/jsonl/recent-file.ts";
import { JsonlEventStore } from "../events/jsonl/store.ts";
import { eventRedactor } from "../events/redactor.ts";
import { RemoteEventStore } from "../events/remote/store.ts";
import type { EventStore } from "../events/store.ts";
import { JsonlLessonStore } from "../lessons/jsonl/store.ts";
import { type MemoryPolicy, readMemoryPolicy } from "../lessons/policy.ts";
import type { LessonStore } from "../lessons/store.ts";
import type { Project } from "../project/find-project.ts";
import { privacyOf, type ReadPrivacy } from "../project/privacy.ts";
import { daemonOf } from "../project/record/daemon-record.ts";
import { NO_OWN_WORDS, type OwnWords } from "../redaction/own-words.ts";

export interface Stores {
  readonly lessons: LessonStore;
  /** The project's policy for its memory, read now. */
  readonly readPolicy: () => Promise<MemoryPolicy>;
  /** What must not be stored, read now. */
  readonly readPrivacy: ReadPrivacy;
}

/** The stores of a project. Opening touches no file; a store reads with its first call. */
export function openStores(project: Project): Stores {
  const { context } = project;
  const readPrivacy = privacyOf(project);
  return {
    lessons: new JsonlLessonStore(context.memoryFile, readPrivacy),
    readPolicy: () => readMemoryPolicy(context),
    readPrivacy,
  };
}

/**
 * The events of a record: in its folder, or at the daemon that its manifest names.
 *
 * @param words what is never stored. A store that is only read needs none.
 * @throws SentinelError `unauthorised`, `not_private` where the token of a daemon is not as it has to be.
 */
export function openEvents(folder: string, words: OwnWords = NO_OWN_WORDS): EventStore {
  const redactor = eventRedactor((text) => words.redact(text).text);
  const daemon = daemonOf(folder);
  if (daemon) return new RemoteEventStore({ ...daemon, redactor, onTakenOut: () => forgetRecent(folder) });
  return new JsonlEventStore({ folder, redactor, now: Date.now });
}
