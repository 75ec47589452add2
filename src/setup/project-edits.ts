/** Everything that init puts into a project, as parts of files. */
import { basename } from "node:path";
import { CLIENTS, type Client, SERVER_NAME } from "../clients/clients.ts";
import type { Launches } from "../clients/launch.ts";
import { CONTEXT_FOLDER } from "../project/context-folder.ts";
import type { Project } from "../project/find-project.ts";
import { gitFiles } from "../project/git-files.ts";
import { hookEntries, jsonEntry, newFile, type Part, textBlock, tomlEntry } from "./edits/edit.ts";
import { readManifest } from "./manifest.ts";
import { privateRule } from "./private.ts";
import type { ProjectFiles } from "./project-files.ts";
import { CURSOR_FRONTMATTER, RULES } from "./rules.ts";

/** Files that may take another in with `@AGENTS.md`. */
const INCLUDES_AGENTS = /(?:^|\s)@(?:\.\/)?AGENTS\.md\b/;

/** The parts of a client: its server, its rules, and its hooks unless there is no line for them. */
export function partsOf(client: Client, launches: Launches, withHooks: boolean, files: ProjectFiles): Part[] {
  const hook = withHooks ? launches.here.hook : undefined;
  const { hooks } = client;
  return [
    entryOf(client, launches, files),
    ...rulesOf(client, files),
    ...(hooks && hook !== undefined ? [hookEntries(hooks.path, hooks.table(hook), hooks.frame)] : []),
  ];
}

export function configOf(client: Client, files: ProjectFiles): string {
  return client.config.find((path) => files.exists(path)) ?? client.config[0];
}

function entryOf(client: Client, launches: Launches, files: ProjectFiles): Part {
  const path = configOf(client, files);
  const entry = client.entry(launches);
  const at = [client.key, SERVER_NAME] as const;
  return path.endsWith(".toml")
    ? tomlEntry(path, at, entry)
    : jsonEntry(path, at, entry, client.frame, client.earlierEntry?.(launches));
}

function rulesOf(client: Client, files: ProjectFiles): Part[] {
  const paths = client.rules.map((path) => (includesAgents(path, files) ? "AGENTS.md" : path));
  return paths.map((path) => rulesIn(path));
}

export function rulesIn(path: string): Part {
  return textBlock(path, RULES, path.endsWith(".mdc") ? CURSOR_FRONTMATTER : "");
}

/** Whether what stands in AGENTS.md reaches the reader of this file. */
function includesAgents(path: string, files: ProjectFiles): boolean {
  if (path === "AGENTS.md" || !files.exists("AGENTS.md") || !files.exists(path)) return false;
  try {
    return files.isSame(path, "AGENTS.md") || INCLUDES_AGENTS.test(files.read(path) ?? "");
  } catch {
    return false; // The plan reads it once more, and says what is wrong with it.
  }
}

/** The files that let git share the memory. */
export function gitParts({ context: { memoryFile } }: Project): Part[] {
  return Object.entries(gitFiles(memoryFile)).map(([name, text]) =>
    newFile(`${CONTEXT_FOLDER}/${name}`, text, "git settings"),
  );
}

/**
 * An empty memory. Once it is committed, what two people log first merges; a git pull refuses to touch a file that git does
 * not track. It also marks a package of a larger repository as a project of its own, for starts in its subfolders.
 */
export function emptyMemory({ context: { memoryFile } }: Project): Part {
  return newFile(`${CONTEXT_FOLDER}/${basename(memoryFile)}`, "", "memory");
}

/** Every part that any init may have put into the project, for taking out. */
export function allParts(launches: Launches, project: Project, files: ProjectFiles): Part[] {
  const parts = CLIENTS.flatMap((client) => [
    ...client.config.map((path) => ({ ...entryOf(client, launches, files), path })),
    ...partsOf(client, launches, true, files).slice(1),
    ...client.rules.map(rulesIn),
  ]);
  const memory = emptyMemory(project);
  const memories = mayBeOurs(memory, files) ? [memory] : [];
  return distinct([...parts, ...gitParts(project), ...memories, privateRule(files)]);
}

/** An empty memory that init has noted; a clone has no note at all. One that is a link is somebody's own. */
function mayBeOurs({ path }: Part, files: ProjectFiles): boolean {
  const { files: noted } = readManifest(files);
  return (Object.keys(noted).length === 0 || path in noted) && !files.isLink(path);
}

/** Several clients read AGENTS.md. */
export function distinct(parts: readonly Part[]): Part[] {
  return [...new Map(parts.map((part) => [`${part.path} ${part.what}`, part])).values()];
}
