import type { Project } from "../../ground/project/find-project.ts";
import { privacyOf } from "../../ground/project/privacy.ts";
import { JsonlLessonStore } from "../../lessons/jsonl/store.ts";
import { readMemoryPolicy } from "../../lessons/policy.ts";
import type { Stores } from "../server/server.ts";

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
