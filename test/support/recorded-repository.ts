/** A git repository whose sessions are recorded, since before the first one. It ends with the test that makes it. */
import { testRepository } from "./in-test.ts";
import type { Project } from "./project.ts";
import { recordFromTheStart } from "./recorded.ts";

/** @param files are committed. */
export async function recordedRepository(
  files: Readonly<Record<string, string>> = {},
): Promise<Project> {
  const project = await testRepository(files);
  await recordFromTheStart(project);
  return project;
}
