/** What init or uninstall will change, computed before anything does: `--dry-run` shows the same plan. */
import { join } from "node:path";
import { SentinelError, tryOr } from "../../ground/core/errors.ts";
import { groupBy } from "../../ground/core/group-by.ts";
import {
  type Edit,
  type EditKind,
  type PutOptions,
  type TakeOptions,
  textBlock,
} from "./edits/edit.ts";
import { isUntouched, type Manifest } from "./init-manifest.ts";
import type { ProjectFiles } from "./project-files.ts";

export interface Step {
  /** The step makes or undoes these. */
  readonly edits: readonly Edit[];
  readonly path: string;
  readonly what: EditKind;
  /** Undefined when there is no file. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Whether the text after is known to be the one from before init, to the byte. */
  readonly restores?: boolean;
  readonly problem?: SentinelError;
}

/** Plans to make the edits. */
export function planInit(edits: readonly Edit[], files: ProjectFiles, options: PutOptions): Step[] {
  return [...groupBy(edits, ({ path }) => path).values()].map((ours) =>
    step(ours, files, (before) =>
      ours.reduce<string | undefined>((text, edit) => putOrMove(edit, text, options), before),
    ),
  );
}

function putOrMove(edit: Edit, text: string | undefined, options: PutOptions): string | undefined {
  if (edit.isMoved) return takeAll([edit], text, {});
  return withBom(text, (inner) => edit.put(inner, options));
}

/** Plans to undo the edits: a file that is as init left it becomes what it was; any other only loses our parts. */
export function planUninstall(
  edits: readonly Edit[],
  files: ProjectFiles,
  manifest: Manifest,
): Step[] {
  const paths = [...new Set(edits.map(({ path }) => path))];
  // The names of one file, such as CLAUDE.md and the AGENTS.md that it links to, become one step.
  return [...groupBy(paths, (path) => realPath(path, files)).values()].map((names) => {
    const path = bestName(names, files, manifest);
    const ours = edits
      .filter((edit) => names.includes(edit.path))
      .map((edit) => ({ ...edit, path }));
    const written = manifest.files[path];
    // A digest that init found is not given back: it goes before.
    const original = takeAll([textBlock(path, "", "", "digest")], written?.before ?? undefined, {});
    const planned = step(ours, files, (before) => {
      if (before === undefined) return undefined;
      if (ours.some(({ isOurs }) => isOurs)) return undefined;
      if (ours.every(({ isPart }) => isPart)) return takeAll(ours, before, {});
      if (isUntouched(written, before)) return original;
      return (
        takeAll(ours, before, { inManifest: written !== undefined, before: original }) ?? original
      );
    });
    return { ...planned, restores: written !== undefined && planned.after === original };
  });
}

/** The text without what the edits put in, the last one first; undefined when nothing is left. */
export function takeAll(
  edits: readonly Edit[],
  text: string | undefined,
  options: TakeOptions,
): string | undefined {
  return edits.reduceRight<string | undefined>(
    (rest, edit) =>
      rest === undefined
        ? undefined
        : withBom(rest, (inner) => edit.take(inner as string, options)),
    text,
  );
}

/** Prefers the name recorded in the manifest; between two, the one that is not a symlink. */
function bestName(
  names: readonly string[],
  files: ProjectFiles,
  { files: noted }: Manifest,
): string {
  const score = (path: string) =>
    (noted[path] ? 2 : 0) + (realPath(path, files) === join(files.folder, path) ? 1 : 0);
  return [...names].sort((a, b) => score(b) - score(a))[0] as string;
}

/** The real place of a path; the path itself where it leads nowhere, because its step reports that. */
const realPath = (path: string, files: ProjectFiles): string =>
  tryOr(() => files.realPath(path), path);

function step(
  edits: readonly Edit[],
  files: ProjectFiles,
  change: (before: string | undefined) => string | undefined,
): Step {
  const { path, what } = edits[0] as Edit;
  let before: string | undefined;
  try {
    before = edits.some(({ isOurs }) => isOurs) ? files.readAsItIs(path) : files.read(path);
    return { edits, path, what, before, after: change(before) };
  } catch (error) {
    if (error instanceof SentinelError)
      return { edits, path, what, before, after: before, problem: error };
    throw error;
  }
}

/** Changes a text behind its byte-order mark, which no parser expects. */
function withBom(
  text: string | undefined,
  change: (text: string | undefined) => string | undefined,
): string | undefined {
  if (!text?.startsWith("\uFEFF")) return change(text);
  const changed = change(text.slice(1));
  return changed === undefined ? undefined : `\uFEFF${changed}`;
}
