/** The session log's personal hooks: `sessions on` writes them, `sessions off` removes them. */
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { SessionHooks } from "../../ground/clients/client.ts";
import { CLIENTS } from "../../ground/clients/clients.ts";
import { sessionHookCommand, sessionHookLine } from "../../ground/clients/launch.ts";
import { type Problem, SentinelError, tryOr } from "../../ground/core/errors.ts";
import { canonicalPath } from "../../ground/files/paths.ts";
import { changeUserFile } from "../../ground/files/private-file.ts";
import { SERVER_FILE } from "../../ground/project/context-folder.ts";
import { isTracked, seenBy } from "../../ground/project/git.ts";
import { EXCLUDE } from "../../ground/project/git-files.ts";
import { type Environment, readPlaces } from "../../sessions/consent/places.ts";
import { type Edit, ownFile } from "./edits/edit.ts";
import { hookLines, sessionHookLines } from "./edits/hook-edit.ts";
import { apply, changesOf, planInit, planUninstall, type Step } from "./plan.ts";
import { personalRule } from "./project-edits.ts";
import { ProjectFiles } from "./project-files.ts";

interface Installation {
  readonly build: string;
  readonly env: Environment;
}

/** The hooks that `sessions on` wrote or left alone. */
interface AddedHooks {
  readonly steps: readonly Step[];
  /** Hook files that git tracks: they're shared, so personal hooks don't belong there. */
  readonly tracked: readonly string[];
  /** Steps that only the user can do, by client. */
  readonly asks: readonly string[];
}

/** Writes the hooks into a project's folder, hidden from git. @param logFolder notes the folder. */
export async function addSessionHooks(
  logFolder: string,
  folder: string,
  { build, env }: Installation,
): Promise<AddedHooks> {
  const files = new ProjectFiles(folder);
  const program = programOf(files, build);
  const steps: Step[] = [];
  const tracked: string[] = [];
  const asks: string[] = [];
  // First, so that `sessions off` finds the hooks of a process that was killed here.
  await changeFolders(logFolder, (folders) => [...folders, files.folder]);
  for (const { name, hooks } of hooksInUse(env)) {
    if (startsCaptures(files, hooks.path)) {
      continue;
    }
    if (await isTracked(hooks.path, files.folder)) {
      tracked.push(hooks.path);
      continue;
    }
    const done = await writeHidden(hooks, program, files);
    steps.push(...done);
    const isWritten = changesOf(done).some(({ path }) => path === hooks.path);
    if (hooks.asks && isWritten) {
      asks.push(`${name}: ${hooks.asks}`);
    }
  }
  return { steps, tracked, asks };
}

/** Writes a hook file, and the rule that hides it if git would show it. */
async function writeHidden(
  hooks: SessionHooks,
  program: string,
  files: ProjectFiles,
): Promise<Step[]> {
  const seen = await seenBy(files.folder, [hooks.path]);
  const rule = seen?.length ? planInit([personalRule(files, hooks.path)], files) : [];
  const done = await apply(rule, files);
  const isShown = done.some(({ problem }) => problem);
  const steps = planInit([editOf(hooks, program)], files);
  const written = isShown ? steps.map(leftAlone) : await apply(steps, files);
  return [...done, ...written];
}

/** The step of a personal file that the next commit would share. */
function leftAlone(step: Step): Step {
  const problem = new SentinelError(
    "write_failed",
    `It was left alone: git would show it, because ${EXCLUDE} could not be written.`,
    "Fix that file as described, then run this again.",
  );
  return { ...step, after: step.before, problem };
}

/**
 * Removes the hooks from every folder in which they were written for this session log.
 * @param folder another one, even without a note.
 */
export async function removeSessionHooks(logFolder: string, folder?: string): Promise<Step[]> {
  const noted = readFolders(logFolder);
  const folders = folder === undefined ? noted : [folder, ...noted];
  const existing = folders.filter((place) => existsSync(place));
  const places = new Set(existing.map((place) => canonicalPath(place)));
  const steps: Step[] = [];
  for (const place of places) {
    const removed = await removeFrom(place);
    steps.push(...removed);
    const isRemoved = !removed.some(({ problem }) => problem);
    if (isRemoved && noted.includes(place)) {
      await changeFolders(logFolder, (all) => all.filter((other) => other !== place));
    }
  }
  return steps;
}

function removeFrom(folder: string): Promise<Step[]> {
  const files = new ProjectFiles(folder);
  const edits: Edit[] = [];
  for (const { hooks } of HOOKS) {
    edits.push(editOf(hooks, ""));
    edits.push(personalRule(files, hooks.path));
  }
  return apply(planUninstall(edits, files), files);
}

/** Why a folder lacks the current hooks of the session log, or undefined. */
export async function missingHooks(
  folder: string,
  { build, env }: Installation,
): Promise<Problem | undefined> {
  const files = new ProjectFiles(folder);
  const program = programOf(files, build);
  const edits: Edit[] = [];
  for (const { hooks } of hooksInUse(env)) {
    if (!startsCaptures(files, hooks.path)) {
      edits.push(editOf(hooks, program));
    }
  }
  if (areInPlace(edits, files)) {
    return undefined;
  }
  for (const { path } of edits) {
    if (await isTracked(path, folder)) {
      return inGit(path);
    }
  }
  return {
    what: "This folder has no current hooks of the session log.",
    fix: "sentinel-memory sessions on",
  };
}

/** The problem of a hook file that git tracks. */
export function inGit(path: string): Problem {
  return {
    what: `${path} is in git, and hooks of one person do not belong there, so only sentinel-memory sessions capture reads sessions of this folder.`,
    fix: `Each person's own ${path} does not belong in git either: git rm --cached ${path}, commit that, then sentinel-memory sessions on.`,
  };
}

interface ClientHooks {
  readonly name: string;
  readonly hooks: SessionHooks;
}

const HOOKS: ClientHooks[] = [];
for (const { name, sessionHooks } of CLIENTS) {
  if (sessionHooks) {
    HOOKS.push({ name, hooks: sessionHooks });
  }
}

/** The hooks of the clients that are on this machine. */
function hooksInUse(env: Environment): readonly ClientHooks[] {
  const places = readPlaces(env);
  return HOOKS.filter(({ hooks: { clientFolder, signs } }) => {
    if (clientFolder) {
      return existsSync(places[clientFolder]);
    }
    return signs?.some((sign) => existsSync(join(homedir(), sign))) ?? true;
  });
}

/** @param program the program that the hooks start. Removing them ignores it. */
function editOf({ path, table, plugin }: SessionHooks, program: string): Edit {
  if (plugin) {
    return ownFile(path, plugin(sessionHookCommand(program)), "record hooks");
  }
  return sessionHookLines(path, table?.(sessionHookLine(program)) ?? {});
}

/** Whether the team's hooks in a file start captures, so that no personal ones are needed there. */
function startsCaptures(files: ProjectFiles, path: string): boolean {
  return CLIENTS.some(({ hooks }) => {
    if (hooks?.path !== path || !hooks.table) {
      return false;
    }
    if (!hooks.protocol.startsCaptures) {
      return false;
    }
    const edit = hookLines(path, hooks.table(""), hooks.frame);
    return areInPlace([edit], files);
  });
}

function areInPlace(edits: readonly Edit[], files: ProjectFiles): boolean {
  const steps = planInit(edits, files);
  return steps.every(({ before, after, problem }) => !problem && before === after);
}

/** The program to start. The path in the project's own installation survives an update. */
function programOf(files: ProjectFiles, build: string): string {
  const installed = `node_modules/sentinel-memory/dist/server/${SERVER_FILE}`;
  if (files.exists(installed)) {
    return join(files.folder, installed);
  }
  return join(build, SERVER_FILE);
}

/** The list of folders in which a session log has hooks. */
const foldersFile = (logFolder: string): string => join(logFolder, "hooks.json");

async function changeFolders(
  logFolder: string,
  change: (folders: readonly string[]) => readonly string[],
): Promise<void> {
  await changeUserFile(foldersFile(logFolder), (text) => {
    const folders = new Set(change(parseFolders(text)));
    return `${JSON.stringify([...folders])}\n`;
  });
}

const readFolders = (logFolder: string): string[] =>
  parseFolders(tryOr(() => readFileSync(foldersFile(logFolder), "utf8"), undefined));

/** A damaged list is empty. */
function parseFolders(text = "[]"): string[] {
  const folders = tryOr(() => JSON.parse(text), []);
  return Array.isArray(folders) ? folders : [];
}
