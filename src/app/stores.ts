/** Opens the stores of a project's lessons and of a session log. */
import type { Project } from "../ground/project/find-project.ts";
import { privacyOf, type ReadPrivacy } from "../ground/project/privacy.ts";
import { NO_OWN_WORDS, type OwnWords } from "../ground/redaction/own-words.ts";
import { carriesDigest } from "../lessons/hooks/digested.ts";
import { JsonlLessonStore } from "../lessons/jsonl/store.ts";
import type { LessonStore } from "../lessons/store.ts";
import { daemonOf } from "../sessions/consent/daemon-log.ts";
import { forgetDaemonBriefs } from "../sessions/files/briefs.ts";
import { jsonlEventStore } from "../sessions/files/store.ts";
import { remoteEventStore } from "../sessions/remote/store.ts";
import type { EventStore } from "../sessions/store.ts";
import { eventRedactor } from "../sessions/storing/redactor.ts";
import { refreshDigest } from "./digest/digest.ts";

interface Stores {
  readonly lessons: LessonStore;
  readonly readPrivacy: ReadPrivacy;
}

/** Opens the store of a project's lessons. This reads no files, because the store reads on its first call. */
export function openStores(project: Project): Stores {
  const readPrivacy = privacyOf(project);
  const { memoryFile } = project.context;
  const lessons = new JsonlLessonStore(memoryFile, readPrivacy, () => digestAgain(project));
  return { lessons, readPrivacy };
}

/** Updates the digest, if it's on. The lesson is already saved, so a failure is ignored here and `check` reports it. */
async function digestAgain(project: Project): Promise<void> {
  if (!carriesDigest(project.folder)) {
    return;
  }
  await refreshDigest(project).catch(() => {});
}

/** Opens the store in the folder, or at the daemon named in its manifest. @param words words that are never stored. @throws SentinelError `unauthorised`, `not_private`. */
export function openEvents(folder: string, words: OwnWords = NO_OWN_WORDS): EventStore {
  const redactor = eventRedactor(words);
  const daemon = daemonOf(folder);
  if (daemon) {
    return remoteEventStore({
      ...daemon,
      redactor,
      onTakenOut: () => forgetDaemonBriefs(folder),
    });
  }
  return jsonlEventStore({ folder, redactor, now: Date.now });
}
