/** Finds a project's notes in one source. Changes nothing, and reads only that source. */

import { lstat, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, posix, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { PERSONAL_HOOKS } from "../../ground/clients/claude-code.ts";
import { sumBy } from "../../ground/core/collections.ts";
import { tryOr } from "../../ground/core/errors.ts";
import { composed, inBothForms } from "../../ground/core/text.ts";
import { isWithin, pathOnDisk } from "../../ground/files/paths.ts";
import { namesIn } from "../../ground/files/read-files.ts";
import { platformData } from "../../ground/project/context-folder.ts";
import { git, mustReadGit } from "../../ground/project/git.ts";
import { leadsOut } from "../../ground/project/small-text.ts";
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import { Folders } from "../capture/belonging.ts";
import { homeOf } from "../consent/log-id.ts";
import type { Places } from "../consent/places.ts";
import { eventRedactor } from "../storing/redactor.ts";
import { folderIn } from "../transcripts/codex-rollouts.ts";
import { jsonIn } from "../transcripts/fields.ts";
import { claudeCodeName, isOnlyFolderNamed } from "../transcripts/folder-names.ts";
import { ownerOf } from "../transcripts/gemini.ts";
import type { FoundNote, NoteSource, NoteText } from "./note.ts";
import { notesIn } from "./notes-in.ts";

const RULES =
  /(?:^|\/)(?:CLAUDE|AGENTS)\.md$|^\.cursorrules$|(?:^|\/)\.cursor\/rules\/.*\.mdc?$|^\.claude\/rules\/.*\.md$|^\.github\/(?:copilot-instructions|instructions\/.*\.instructions)\.md$/;
const DECISION = /(?:^|\/)(?:adrs?|decisions|decision-records?)\/[^/]*\d[^/]*\.md$/i;
const NOT_IN_FORCE =
  /^(?:#+\s*)?(?:\*\*)?status(?:\*\*)?:?(?:\*\*)?\s*\n*\s*(?:-\s*)?(?:\*\*)?(?:superseded|rejected|deprecated|proposed)/im;

/** Headings above the decision and its consequences, and above the reasons for them. */
const DECIDED = /decision|decided|consequence/i;
const UNDECIDED = /driver|options/i;

interface Found {
  readonly notes: readonly FoundNote[];
  /** The files that were read. */
  readonly looked: readonly string[];
  /** The number of statements in rules files without a trigger. */
  readonly left: number;
}

/** The working folder appears within this much of a transcript's beginning. */
const HEAD_BYTES = 64 * 1024;
const OF_THE_PERSON = /^---\r?\n(?:(?!---).*\r?\n)*?\s*type:\s*["']?user\b/;
const APPLIES_TO = /^applies_to:\s*cwd=(.*?)\s*(?:;.*)?$/m;
/** Sections of file lists, search words and user preferences. */
const NO_NOTES = /^#{1,6}\s*(?:rollout_summary_files|keywords|user preferences|task \d+)\b/i;
const GROUPS_OWN = /^(?:scope|applies_to|reuse_rule):/;
/** A hundred times the size of usual notes. */
const MOST_BYTES = 1024 * 1024;

/** @param folder the project's. @param words that are never stored. @throws SentinelError `git_refused`. */
export async function findNotes(
  source: Exclude<NoteSource, "extractor">,
  folder: string,
  { places, words }: { readonly places: Places; readonly words: OwnWords },
): Promise<Found> {
  await mustReadGit(folder);
  const folders = new Folders(homeOf(folder), []);
  const seen = ["--cached", "--others", "--exclude-standard"];
  const files = (await git(folder, "ls-files", "-z", ...seen)).text.split("\0").filter(Boolean);
  const find = {
    claude: () => claudeCodeNotes(places.claude, folders, folder),
    codex: () => codexNotes(places.codex, folders),
    gemini: () => geminiNotes(join(homedir(), ".gemini"), folders, folder),
    vscode: () => vscodeNotes(folders),
    rules: () => rulesNotes(folder, files),
  };
  const texts = await find[source]();
  const redactor = eventRedactor(words);
  const names = new Set(files.map((file) => composed(posix.basename(file))));
  const found = texts.map((text) => notesIn(text, { folder, names }, redactor));
  return {
    notes: found.flatMap(({ notes }) => notes),
    looked: texts.map(({ file }) => file),
    left: sumBy(found, ({ left }) => left),
  };
}

/** The project's rules for agents and its decision records. @param files of the project that git lists. */
async function rulesNotes(folder: string, files: readonly string[]): Promise<NoteText[]> {
  const ours = files.filter((file) => !file.includes("node_modules/"));
  const rules = ours.filter((file) => RULES.test(file));
  const decisions = ours.filter((file) => DECISION.test(file));
  const records = await rulesIn(folder, decisions);
  const inForce = records.filter(({ text }) => !NOT_IN_FORCE.test(text));
  return [...(await rulesIn(folder, rules)), ...inForce.map(decisionIn)];
}

/** Keeps only the decision and its consequences. */
function decisionIn(record: NoteText): NoteText {
  let isDecided = false;
  const lines = record.text.split("\n").map((line, at) => {
    if (line.startsWith("#")) {
      isDecided = at > 0 && DECIDED.test(line) && !UNDECIDED.test(line);
    }
    return isDecided || line.startsWith("# ") ? line : "";
  });
  return { ...record, text: lines.join("\n") };
}

/** The project's notes, except those about the user. @param folder the project's, whose settings apply. */
async function claudeCodeNotes(
  clientFolder: string,
  folders: Folders,
  folder: string,
): Promise<NoteText[]> {
  const worktrees = folders.worktrees();
  const memories = new Set<string>();
  for (const place of new Set([folder, ...worktrees])) {
    const memory = await memoryInSettings(clientFolder, place);
    if (memory !== undefined) {
      memories.add(memory);
    }
  }
  for (const worktree of inBothForms(worktrees)) {
    if (await isOnlyFolderNamed(worktree, claudeCodeName)) {
      const place = join(clientFolder, "projects", claudeCodeName(worktree));
      if (await beganHere(place, folders)) {
        memories.add(join(place, "memory"));
      }
    }
  }
  const found = [...memories].map((memory) => textsOf(memory, { isOne: true }));
  const texts = (await Promise.all(found)).flat();
  return texts.filter(({ text }) => !OF_THE_PERSON.test(text));
}

/** The folder set as `autoMemoryDirectory` in the settings with the highest priority, but never one that contains the project. */
async function memoryInSettings(clientFolder: string, folder: string): Promise<string | undefined> {
  const shared = join(folder, ".claude/settings.json");
  for (const file of [join(folder, PERSONAL_HOOKS), shared, join(clientFolder, "settings.json")]) {
    const named = jsonIn((await textAt(file)) ?? "").autoMemoryDirectory;
    if (typeof named !== "string" || named === "") {
      continue;
    }
    const inHome = named.replace(/^~(?=[/\\]|$)/, () => homedir());
    const memory = resolve(folder, inHome);
    const onDisk = pathOnDisk(memory) ?? memory;
    // Shared settings come with a clone, so they may only set a folder in the project.
    if (file === shared && (!isWithin(folder, memory) || leadsOut(onDisk, folder))) {
      continue;
    }
    return isWithin(memory, folder) ? undefined : onDisk;
  }
  return undefined;
}

/** Whether all transcripts next to the notes began in this project. A deleted project can have had the same folder name. */
async function beganHere(place: string, folders: Folders): Promise<boolean> {
  for (const name of await namesIn(place)) {
    const cwd = name.endsWith(".jsonl") ? folderIn(join(place, name), HEAD_BYTES) : "";
    if (cwd !== "" && !folders.of(cwd).isOurs) {
      return false;
    }
  }
  return true;
}

/** Memories of Codex: one file for all projects. Each group of tasks lists its folders. */
async function codexNotes(clientFolder: string, folders: Folders): Promise<NoteText[]> {
  const file = join(clientFolder, "memories", "MEMORY.md");
  const groups = ((await textAt(file)) ?? "").split(/^(?=# Task Group:)/m);
  const kept: string[] = [];
  for (const group of groups) {
    const isOurs = areOurs(APPLIES_TO.exec(group)?.[1] ?? "", folders);
    let isNote = false;
    for (const line of group.replace(/\n$/, "").split("\n")) {
      if (line.startsWith("#")) {
        isNote = !NO_NOTES.test(line);
      }
      kept.push(isOurs && isNote && !GROUPS_OWN.test(line) ? line : "");
    }
  }
  return [{ file, text: kept.join("\n") }];
}

/** Whether all folders of a group belong to the project. A group without folders doesn't count. */
function areOurs(said: string, folders: Folders): boolean {
  const isOurs = (folder: string) => folders.of(folder.replace(/^cwd=/, "").trim()).isOurs;
  return isOurs(said) || said.split(/ and |, /).every(isOurs);
}

/** Memory of Gemini CLI: the project's `GEMINI.md` and the notes in the project's folder below `tmp`. */
async function geminiNotes(
  clientFolder: string,
  folders: Folders,
  folder: string,
): Promise<NoteText[]> {
  const found = await rulesIn(folder, ["GEMINI.md"]);
  for (const name of await namesIn(join(clientFolder, "tmp"))) {
    const place = join(clientFolder, "tmp", name);
    const owner = await ownerOf(place, inBothForms(folders.worktrees()));
    const isOurs = owner !== undefined && folders.of(owner).isOurs;
    if (isOurs) {
      found.push(...(await textsOf(join(place, "memory"))));
    }
  }
  return found;
}

/** Files of VS Code's memory tool. Only those shared by all agents of a workspace count. */
async function vscodeNotes(folders: Folders): Promise<NoteText[]> {
  const found: NoteText[] = [];
  for (const user of vscodeFolders()) {
    for (const name of await namesIn(join(user, "workspaceStorage"))) {
      const place = join(user, "workspaceStorage", name);
      const opened = jsonIn((await textAt(join(place, "workspace.json"))) ?? "");
      const folder = tryOr(() => fileURLToPath(String(opened.folder)), "");
      const shared = join(place, "GitHub.copilot-chat", "memory-tool", "memories", "repo");
      if (folders.of(folder).isOurs) {
        found.push(...(await textsOf(shared)));
      }
    }
  }
  return found;
}

/** The data folders of each edition and of the remote server. */
function vscodeFolders(): string[] {
  const data =
    process.platform === "linux"
      ? join(homedir(), ".config")
      : platformData().replace(/Local$/, "Roaming");
  const editions = ["Code", "Code - Insiders"].map((edition) => join(data, edition, "User"));
  return [...editions, join(homedir(), ".vscode-server", "data", "User")];
}

/** The text of a file, in composed Unicode. Undefined for a missing file or a link. */
async function textAt(path: string): Promise<string | undefined> {
  const info = await lstat(path).catch(() => undefined);
  if (!info?.isFile() || info.size > MOST_BYTES) {
    return undefined;
  }
  const text = await readFile(path, "utf8").catch(() => undefined);
  return text === undefined ? undefined : composed(text.replace(/^\ufeff/, ""));
}

/** All Markdown files below a client's folder, except in skills and hidden folders. */
async function textsOf(folder: string, how: Pick<NoteText, "isOne"> = {}): Promise<NoteText[]> {
  const names = (await namesIn(folder, { recursive: true })).filter((name) =>
    /^(?!skills\b|\.).*\.md$/.test(name),
  );
  const files = names.map((name) => ({ file: join(folder, name), ...how }));
  return readAll(files, folder);
}

/** Project files that agents load by themselves. @param files relative to the folder. */
async function rulesIn(folder: string, files: readonly string[]): Promise<NoteText[]> {
  const inside = files.filter((file) => !leadsOut(join(folder, file), folder));
  const loaded = inside.map((file) => ({ file, isLoaded: true }));
  return readAll(loaded, folder);
}

async function readAll(
  files: readonly Omit<NoteText, "text">[],
  folder: string,
): Promise<NoteText[]> {
  const texts: NoteText[] = [];
  for (const one of files) {
    const text = await textAt(resolve(folder, one.file));
    if (text !== undefined) {
      texts.push({ ...one, text });
    }
  }
  return texts;
}
