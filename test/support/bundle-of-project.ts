/** The bundle of a project at an instant of the test's choice, with the person's settings from the project's own home folder. */
import { join } from "node:path";
import { buildBundle } from "../../src/active-context/build-bundle.ts";
import type { Bundle } from "../../src/active-context/bundle.ts";
import { gather } from "../../src/active-context/gather.ts";
import type { BundleRequest } from "../../src/active-context/request.ts";
import { readSettings } from "../../src/active-context/settings/settings.ts";
import type { EventStore } from "../../src/events/store.ts";
import { JsonlLessonStore } from "../../src/lessons/jsonl/store.ts";
import { configFolders } from "../../src/project/config-folders.ts";
import { findProject } from "../../src/project/find-project.ts";
import { branchOf } from "../../src/project/git.ts";
import { privacyOf } from "../../src/project/privacy.ts";
import type { Project } from "./project.ts";

/** @param now in ms since 1970. */
export async function bundleOfProject(
  { folder, home }: Project,
  request: BundleRequest,
  events: EventStore,
  now: number,
): Promise<Bundle> {
  const project = findProject({ flag: folder, env: {}, cwd: folder });
  const own = configFolders(folder, join(home, ".config", "sentinel-memory"));
  const [settings, branch] = await Promise.all([readSettings(project, own), branchOf(folder)]);
  const lessons = new JsonlLessonStore(project.context.memoryFile, privacyOf(project));
  return buildBundle(request, await gather(request, { events, lessons, settings, branch, now }));
}
