/** The bundle of a project at an instant of the test's choice, with the person's settings from the project's own home folder. */
import { join } from "node:path";
import { configFolders } from "../../src/ground/project/config-folders.ts";
import { findProject } from "../../src/ground/project/find-project.ts";
import { branchOf } from "../../src/ground/project/git.ts";
import { privacyOf } from "../../src/ground/project/privacy.ts";
import { JsonlLessonStore } from "../../src/lessons/jsonl/store.ts";
import { buildBundle } from "../../src/sessions/bundle/build-bundle.ts";
import type { Bundle, BundleRequest } from "../../src/sessions/bundle/bundle.ts";
import { gather } from "../../src/sessions/bundle/gather.ts";
import { readSettings } from "../../src/sessions/bundle/settings/settings.ts";
import type { EventStore } from "../../src/sessions/store.ts";
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
