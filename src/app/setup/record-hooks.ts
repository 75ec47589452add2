/**
 * The hooks that only the record needs, in the person's own files: written by `record on`, taken out by `record off`, never
 * committed. What the files were before is kept beside the record, so that they become that again, byte for byte.
 */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Client, RecordHooks } from "../../ground/clients/client.ts";
import { CLIENTS } from "../../ground/clients/clients.ts";
import { type HookProgram, RECORD_HOOK, recordHookCommand, recordHookLine } from "../../ground/clients/launch.ts";
import { SentinelError } from "../../ground/core/errors.ts";
import { changeUserFile } from "../../ground/files/user-folder.ts";
import { SERVER_FILE } from "../../ground/project/context-folder.ts";
import { git, isTracked } from "../../ground/project/git.ts";
import { EXCLUDE } from "../../ground/project/git-exclude.ts";
import { type Environment, readPlaces } from "../../sessions/consent/places.ts";
import { attempt, changesOf } from "./apply.ts";
import { type Edit, ownFile } from "./edits/edit.ts";
import { personalRule } from "./edits/exclude-rule.ts";
import { recordHookLines } from "./edits/hook-edit.ts";
import { type Manifest, writtenAgain } from "./init-manifest.ts";
import { planInit, planUninstall, type Step, takeAll } from "./plan.ts";
import { ProjectFiles } from "./project-files.ts";

/** By the folder of each worktree. */
type Notes = Readonly<Record<string, Manifest>>;

export interface HooksWritten {
  readonly steps: readonly Step[];
  /** Files that git tracks: they are shared, so nothing of one person belongs there. */
  readonly tracked: readonly string[];
  /** What is left to the person, by client. */
  readonly asks: readonly string[];
}

export interface Installation {
  /** The folder of the build. */
  readonly build: string;
  readonly env: Environment;
}

/**
 * Writes the hooks into a project's folder, and keeps git from seeing them.
 *
 * @param recordFolder where the notes are kept.
 */
export async function addRecordHooks(
  recordFolder: string,
  folder: string,
  { build, env }: Installation,
): Promise<HooksWritten> {
  const files = new ProjectFiles(folder);
  const program = programOf(files, build);
  const [edits, tracked, toHide]: [Edit[], string[], string[]] = [[], [], []];
  const inUse = hooksInUse(env);
  for (const { hooks } of inUse) {
    if (await isTracked(hooks.path, files.folder)) tracked.push(hooks.path);
    else {
      if (await isVisible(hooks.path, files.folder)) {
        edits.push(personalRule(files, hooks.path));
        toHide.push(hooks.path);
      }
      edits.push(editOf(hooks, program));
    }
  }
  const steps: Step[] = [];
  for (const step of planInit(edits, files, {})) {
    const isRuleMissing = steps.some(({ path, problem }) => path === EXCLUDE && problem);
    if (step.after === undefined || step.before === step.after) steps.push(step);
    else if (isRuleMissing && toHide.includes(step.path)) steps.push({ ...step, problem: gitWouldShowIt() });
    else steps.push(await attempt(step, () => writeNoted(recordFolder, files, step, edits)));
  }
  const written = changesOf(steps).map(({ path }) => path);
  const asks = inUse.flatMap(({ name, hooks: { path, asks } }) =>
    asks !== undefined && written.includes(path) ? [`${name}: ${asks}`] : [],
  );
  return { steps, tracked, asks };
}

/** What one person set up must not be committed for all. */
function gitWouldShowIt(): SentinelError {
  return new SentinelError(
    "write_failed",
    `It was left alone: git would show it, because ${EXCLUDE} could not be written.`,
    "Do what is said of that file, then run this again.",
  );
}

/** Takes the hooks out of every folder into which they were written for this record. @param folder another one. */
export async function removeRecordHooks(recordFolder: string, folder?: string): Promise<readonly Step[]> {
  const folders = [...(folder === undefined ? [] : [folder]), ...Object.keys(readNotes(recordFolder))].filter((place) =>
    existsSync(place),
  );
  const steps: Step[] = [];
  for (const place of new Set(folders.map((found) => realpathSync(found))))
    steps.push(...(await takeOutOf(place, recordFolder)));
  return steps;
}

async function takeOutOf(folder: string, recordFolder: string): Promise<readonly Step[]> {
  const files = new ProjectFiles(folder);
  const noted = readNotes(recordFolder)[files.folder] ?? NOTHING;
  const steps = planUninstall(editsToTake(files), files, noted);
  for (const { path, after } of changesOf(steps)) {
    if (after === undefined) files.remove(path);
    else await files.write(path, after);
  }
  for (const made of noted.folders) files.removeIfEmpty(made);
  if (noted !== NOTHING) await changeNotes(recordFolder, ({ [files.folder]: _, ...others }) => others);
  return steps;
}

/** Whether the hooks are in a project's folder as they would be written today. */
export function hasRecordHooks(folder: string, { build, env }: Installation): boolean {
  const files = new ProjectFiles(folder);
  const program = programOf(files, build);
  const edits = hooksInUse(env).map(({ hooks }) => editOf(hooks, program));
  return planInit(edits, files, {}).every(({ before, after, problem }) => !problem && before === after);
}

/** The files in which hooks of the record are written, from the project's folder. */
export const RECORD_HOOK_FILES = hooksOf(CLIENTS).map(({ hooks }) => hooks.path);

const NOTHING: Manifest = { files: {}, folders: [] };

/** Those of clients that are on this machine. */
function hooksInUse(env: Environment): ReturnType<typeof hooksOf> {
  const places = readPlaces(env);
  const isThere = (sign: string) => existsSync(join(homedir(), sign));
  return hooksOf(CLIENTS).filter(({ hooks: { clientFolder, signs } }) => {
    if (clientFolder) return existsSync(places[clientFolder]);
    return signs?.some(isThere) ?? true;
  });
}

function hooksOf(clients: readonly Client[]): { readonly name: string; readonly hooks: RecordHooks }[] {
  return clients.flatMap(({ name, recordHooks: hooks }) => (hooks ? [{ name, hooks }] : []));
}

function editsToTake(files: ProjectFiles): Edit[] {
  const nothing = { file: "" };
  return hooksOf(CLIENTS).flatMap(({ hooks }) => [editOf(hooks, nothing), personalRule(files, hooks.path)]);
}

/** @param program which it starts; of no matter where the edit is only taken out. */
function editOf({ path, table, plugin }: RecordHooks, program: HookProgram): Edit {
  if (plugin) return ownFile(path, plugin(recordHookCommand(program)), "record hooks");
  return recordHookLines(path, table?.(recordHookLine(program)) ?? {});
}

/** What starts the hook: the project's own installation, whose path stays the same when it is updated; else the build that runs. */
function programOf(files: ProjectFiles, build: string): HookProgram {
  const installed = `node_modules/sentinel-memory/dist/${RECORD_HOOK}`;
  if (files.exists(installed)) return { file: join(files.folder, installed) };
  const apart = join(build, RECORD_HOOK);
  return existsSync(apart) ? { file: apart } : { file: join(build, SERVER_FILE), argument: RECORD_HOOK };
}

/** Whether git would take the file along; not where there is no repository. */
async function isVisible(path: string, folder: string): Promise<boolean> {
  return (await git(folder, "check-ignore", "--quiet", "--", path)).status === 1;
}

/** Writes a file once it is noted what it was. */
async function writeNoted(
  recordFolder: string,
  files: ProjectFiles,
  step: Step,
  edits: readonly Edit[],
): Promise<void> {
  await note(recordFolder, files, step, edits);
  if (step.after !== undefined) await files.write(step.path, step.after);
}

async function note(recordFolder: string, files: ProjectFiles, step: Step, edits: readonly Edit[]): Promise<void> {
  const { path, before, after } = step;
  if (after === undefined) return;
  const ours = edits.filter((edit) => edit.path === path);
  const made = foldersOf(path).filter((folder) => !files.exists(folder));
  await changeNotes(recordFolder, (notes) => {
    const noted = notes[files.folder] ?? NOTHING;
    const written = writtenAgain(noted.files[path], before, takeAll(ours, before, { inManifest: true }), after);
    const manifest = { files: { ...noted.files, [path]: written }, folders: [...new Set([...noted.folders, ...made])] };
    return { ...notes, [files.folder]: manifest };
  });
}

/** The folders above a file, the innermost first. */
function foldersOf(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, at) => names.slice(0, names.length - at).join("/"));
}

function notesFile(recordFolder: string): string {
  return join(recordFolder, "hooks.json");
}

async function changeNotes(recordFolder: string, change: (notes: Notes) => Notes): Promise<void> {
  await changeUserFile(notesFile(recordFolder), (text) => `${JSON.stringify(change(parsed(text)), null, 2)}\n`);
}

function readNotes(recordFolder: string): Notes {
  try {
    return parsed(readFileSync(notesFile(recordFolder), "utf8"));
  } catch {
    return {};
  }
}

/** Notes that cannot be read only make the undoing less exact. */
function parsed(text: string | undefined): Notes {
  try {
    return { ...JSON.parse(text ?? "{}") };
  } catch {
    return {};
  }
}
