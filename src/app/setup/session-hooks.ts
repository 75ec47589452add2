/** The session log's hooks, in the person's own files: `sessions on` writes them, `sessions off` restores these byte for byte. */
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { SessionHooks } from "../../ground/clients/client.ts";
import { CLIENTS } from "../../ground/clients/clients.ts";
import { sessionHookCommand, sessionHookLine } from "../../ground/clients/launch.ts";
import { type Problem, SentinelError, tryOr } from "../../ground/core/errors.ts";
import { canonicalPath } from "../../ground/files/canonical-path.ts";
import { changeUserFile } from "../../ground/files/user-folder.ts";
import { SERVER_FILE } from "../../ground/project/context-folder.ts";
import { isTracked, seenBy } from "../../ground/project/git.ts";
import { EXCLUDE } from "../../ground/project/git-exclude.ts";
import { type Environment, readPlaces } from "../../sessions/consent/places.ts";
import { attempt, carryOut, changesOf, foldersAbove } from "./apply.ts";
import { type Edit, ownFile } from "./edits/edit.ts";
import { personalRule } from "./edits/exclude-rule.ts";
import { hookLines, sessionHookLines } from "./edits/hook-edit.ts";
import { type Manifest, NOTHING_WRITTEN, writtenAgain } from "./init-manifest.ts";
import { planInit, planUninstall, type Step, takeAll } from "./plan.ts";
import { ProjectFiles } from "./project-files.ts";

/** By the folder of each worktree. */
type Notes = Readonly<Record<string, Manifest>>;

interface Installation {
  readonly build: string;
  readonly env: Environment;
}

/**
 * Writes the hooks into a project's folder, and keeps git from seeing them. @param logFolder where the notes are kept.
 * @returns the steps; the files that git tracks, so that nothing of one person belongs there; and what is left to the person, by client.
 */
export async function addSessionHooks(
  logFolder: string,
  folder: string,
  { build, env }: Installation,
) {
  const files = new ProjectFiles(folder);
  const program = programOf(files, build);
  const [edits, tracked, toHide]: [Edit[], string[], string[]] = [[], [], []];
  const inUse = hooksInUse(env);
  for (const { hooks } of inUse) {
    if (handsOver(files, hooks.path)) continue;
    if (await isTracked(hooks.path, files.folder)) tracked.push(hooks.path);
    else {
      if ((await seenBy(files.folder, [hooks.path]))?.length) {
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
    else if (isRuleMissing && toHide.includes(step.path))
      steps.push({ ...step, problem: gitWouldShowIt() });
    else steps.push(await attempt(step, () => writeNoted(logFolder, files, step)));
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
    "Fix that file as described, then run this again.",
  );
}

/** Takes the hooks out of every folder into which they were written for this session log. @param folder one more, even without a note. */
export async function removeSessionHooks(
  logFolder: string,
  folder?: string,
): Promise<readonly Step[]> {
  const folders = [
    ...(folder === undefined ? [] : [folder]),
    ...Object.keys(readNotes(logFolder)),
  ].filter((place) => existsSync(place));
  const steps: Step[] = [];
  for (const place of new Set(folders.map((found) => canonicalPath(found))))
    steps.push(...(await takeOutOf(place, logFolder)));
  return steps;
}

async function takeOutOf(folder: string, logFolder: string): Promise<readonly Step[]> {
  const files = new ProjectFiles(folder);
  const noted = readNotes(logFolder)[files.folder] ?? NOTHING_WRITTEN;
  const steps = planUninstall(editsToTake(files), files, noted);
  for (const step of changesOf(steps)) await carryOut(step, files);
  for (const made of noted.folders) files.removeIfEmpty(made);
  if (noted !== NOTHING_WRITTEN)
    await changeNotes(logFolder, ({ [files.folder]: _, ...others }) => others);
  return steps;
}

/** Why a folder has no hooks of the session log, and what brings them there; undefined where they are as they would be written today. */
export async function missingHooks(
  folder: string,
  { build, env }: Installation,
): Promise<Problem | undefined> {
  const files = new ProjectFiles(folder);
  const ours = hooksInUse(env).filter(({ hooks }) => !handsOver(files, hooks.path));
  const edits = ours.map(({ hooks }) => editOf(hooks, programOf(files, build)));
  if (areInPlace(edits, files)) return undefined;
  for (const { path } of edits) if (await isTracked(path, folder)) return inGit(path);
  return {
    what: "This folder has no current hooks of the session log.",
    fix: "sentinel-memory sessions on",
  };
}

/** A file that git tracks is shared, so nothing of one person is written there. */
export function inGit(path: string): Problem {
  return {
    what: `${path} is in git, and hooks of one person do not belong there, so only sentinel-memory sessions capture reads sessions of this folder.`,
    fix: `Each person's own ${path} does not belong in git either: git rm --cached ${path}, commit that, then sentinel-memory sessions on.`,
  };
}

const HOOKS = CLIENTS.flatMap(({ name, sessionHooks: hooks }) => (hooks ? [{ name, hooks }] : []));

/** Those of clients that are on this machine. */
function hooksInUse(env: Environment): typeof HOOKS {
  const places = readPlaces(env);
  const isThere = (sign: string) => existsSync(join(homedir(), sign));
  return HOOKS.filter(({ hooks: { clientFolder, signs } }) => {
    if (clientFolder) return existsSync(places[clientFolder]);
    return signs?.some(isThere) ?? true;
  });
}

function editsToTake(files: ProjectFiles): Edit[] {
  return HOOKS.flatMap(({ hooks }) => [editOf(hooks, ""), personalRule(files, hooks.path)]);
}

/** @param program which it starts; ignored where the edit is only taken out. */
function editOf({ path, table, plugin }: SessionHooks, program: string): Edit {
  if (plugin) return ownFile(path, plugin(sessionHookCommand(program)), "record hooks");
  return sessionHookLines(path, table?.(sessionHookLine(program)) ?? {});
}

/** Whether the team's own hooks in the file hand sessions over, so that the person needs none there. */
function handsOver(files: ProjectFiles, path: string): boolean {
  return CLIENTS.some(({ hooks }) => {
    if (hooks?.path !== path || !hooks.protocol.startsCaptures || !hooks.table) return false;
    return areInPlace([hookLines(path, hooks.table(""), hooks.frame)], files);
  });
}

function areInPlace(edits: readonly Edit[], files: ProjectFiles): boolean {
  return planInit(edits, files, {}).every(
    ({ before, after, problem }) => !problem && before === after,
  );
}

/** What starts the hook: the project's own installation, whose path stays the same when it is updated; else the build that runs. */
function programOf(files: ProjectFiles, build: string): string {
  const installed = `node_modules/sentinel-memory/dist/server/${SERVER_FILE}`;
  return files.exists(installed) ? join(files.folder, installed) : join(build, SERVER_FILE);
}

/** Writes a file once it is noted what it was. */
async function writeNoted(logFolder: string, files: ProjectFiles, step: Step): Promise<void> {
  const { edits, path, before, after } = step;
  if (after === undefined) return;
  const made = foldersAbove(path).filter((folder) => !files.exists(folder));
  await changeNotes(logFolder, (notes) => {
    const noted = notes[files.folder] ?? NOTHING_WRITTEN;
    const written = writtenAgain(
      noted.files[path],
      before,
      takeAll(edits, before, { inManifest: true }),
      after,
    );
    const manifest = {
      files: { ...noted.files, [path]: written },
      folders: [...new Set([...noted.folders, ...made])],
    };
    return { ...notes, [files.folder]: manifest };
  });
  await files.write(path, after);
}

const notesFile = (logFolder: string): string => join(logFolder, "hooks.json");

async function changeNotes(logFolder: string, change: (notes: Notes) => Notes): Promise<void> {
  await changeUserFile(
    notesFile(logFolder),
    (text) => `${JSON.stringify(change(parsed(text)), null, 2)}\n`,
  );
}

const readNotes = (logFolder: string): Notes =>
  tryOr(() => parsed(readFileSync(notesFile(logFolder), "utf8")), {});

/** Notes that cannot be read only make the undoing less exact. */
const parsed = (text: string | undefined): Notes =>
  tryOr(() => ({ ...JSON.parse(text ?? "{}") }), {});
