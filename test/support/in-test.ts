/** Scratch folders, projects and servers that end with the test they are made in. */
import { onTestFinished } from "vitest";
import { type Furniture, Project } from "./project.ts";
import { removeFolder, scratchFolder } from "./scratch.ts";

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

/** A git repository whose files are committed. */
export async function testRepository(files: Readonly<Record<string, string>> = {}): Promise<Project> {
  const project = new Project(testFolder());
  await project.furnishRepository(files);
  return project;
}
