/** What is going to change, worked out before anything does: the same plan is shown by `--dry-run` and carried out. */
import { join } from "node:path";
import { SentinelError } from "../core/errors.ts";
import type { Part } from "./edits/edit.ts";
import { isUntouched, type Manifest } from "./manifest.ts";
import type { ProjectFiles } from "./project-files.ts";

export interface Step {
  readonly path: string;
  /** What of ours is in the file, for people. */
  readonly what: string;
  /** Undefined when there is no file. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Why the file is left alone. */
  readonly problem?: SentinelError;
}

/** Putting the parts in. */
export function planInit(parts: readonly Part[], files: ProjectFiles, force: boolean): Step[] {
  return parts.map((part) => step([part], files, (before) => withBom(before, (text) => part.put(text, force))));
}

/** Taking the parts out: a file that is as init left it becomes what it was; from any other only our parts go. */
export function planUninstall(parts: readonly Part[], files: ProjectFiles, manifest: Manifest): Step[] {
  const paths = [...new Set(parts.map(({ path }) => path))];
  return namesOfFiles(paths, files).map((names) => {
    const path = bestName(names, files, manifest);
    const ours = parts.filter((part) => names.includes(part.path)).map((part) => ({ ...part, path }));
    return step(ours, files, (before) => {
      if (before === undefined) return undefined;
      const written = manifest.files[path];
      if (written && isUntouched(written, before)) return written.before ?? undefined;
      const rest = takeAll(ours, before, written !== undefined);
      return rest === undefined && typeof written?.before === "string" ? written.before : rest;
    });
  });
}

export function takeAll(parts: readonly Part[], text: string | undefined, noted: boolean): string | undefined {
  return parts.reduce(
    (rest, part) => (rest === undefined ? undefined : withBom(rest, (inner) => part.take(inner as string, noted))),
    text,
  );
}

/** Several names of one file, as where CLAUDE.md is a link to AGENTS.md, are one step. */
function namesOfFiles(paths: readonly string[], files: ProjectFiles): string[][] {
  const byFile = new Map<string, string[]>();
  for (const path of paths) {
    const file = realPath(path, files);
    byFile.set(file, [...(byFile.get(file) ?? []), path]);
  }
  return [...byFile.values()];
}

/** The name that init has noted, and of two such the one that is no link: each note is of what stood under its name. */
function bestName(names: readonly string[], files: ProjectFiles, { files: noted }: Manifest): string {
  const byMerit = [...names].sort((a, b) => merit(b) - merit(a));
  return byMerit[0] as string;

  function merit(path: string): number {
    return (noted[path] ? 2 : 0) + (realPath(path, files) === join(files.folder, path) ? 1 : 0);
  }
}

/** A path that leads nowhere stands for itself; its step will say what is wrong with it. */
function realPath(path: string, files: ProjectFiles): string {
  try {
    return files.realPath(path);
  } catch {
    return path;
  }
}

function step(
  parts: readonly Part[],
  files: ProjectFiles,
  change: (before: string | undefined) => string | undefined,
): Step {
  const { path, what } = parts[0] as Part;
  let before: string | undefined;
  try {
    before = files.read(path);
    return { path, what, before, after: change(before) };
  } catch (error) {
    if (error instanceof SentinelError) return { path, what, before, after: before, problem: error };
    throw error;
  }
}

/** A byte-order mark stays where it is, and out of the way of the parsers. */
function withBom(
  text: string | undefined,
  change: (text: string | undefined) => string | undefined,
): string | undefined {
  if (!text?.startsWith("\uFEFF")) return change(text);
  const changed = change(text.slice(1));
  return changed === undefined ? undefined : `\uFEFF${changed}`;
}
