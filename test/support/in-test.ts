/** Scratch folders, projects and servers that end with the test they are made in. */
import { afterAll, onTestFinished } from "vitest";
import { type Furniture, Project } from "./project.ts";
import { removeFolder, scratchFolder } from "./scratch.ts";

/** Takes what ends something: a test's ends with it, and what all tests of a file share ends after the last one. */
export type AtEnd = (end: () => Promise<void> | void) => void;

/** For what all tests of a file share. It ends in the reverse order. */
export function atEndOfFile(): AtEnd {
  const ends: (() => Promise<void> | void)[] = [];
  afterAll(async () => {
    for (const end of ends.reverse()) {
      await end();
    }
  });
  return (end) => void ends.push(end);
}

export function testFolder(): string {
  const folder = scratchFolder();
  onTestFinished(() => removeFolder(folder));
  return folder;
}

export async function testProject(furniture: Furniture = {}): Promise<Project> {
  const project = new Project(testFolder());
  await project.furnish(furniture);
  return project;
}

export function testCopy(project: Project): Promise<Project> {
  return project.copyTo(testFolder());
}

/** A git repository whose files are committed. */
export async function testRepository(
  files: Readonly<Record<string, string>> = {},
): Promise<Project> {
  const project = new Project(testFolder());
  await project.furnishRepository(files);
  return project;
}

/** A git repository of a person whose home folder is also that of the test's own process, while the test runs. */
export async function testRepositoryAtHome(): Promise<Project> {
  const { HOME } = process.env;
  const project = await testRepository();
  process.env.HOME = project.home;
  onTestFinished(() => {
    process.env.HOME = HOME;
  });
  return project;
}
