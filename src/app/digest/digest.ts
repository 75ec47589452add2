/**
 * The digest of a project, in files that agents read as team instructions. So it contains only lessons of the default branch that are
 * unchanged here: as a block in AGENTS.md and GEMINI.md, in a file that CLAUDE.md imports, and in rules for certain paths.
 */
import { hash } from "node:crypto";
import { groupBy } from "../../ground/core/collections.ts";
import { SentinelError, tryOr } from "../../ground/core/errors.ts";
import { localMinute } from "../../ground/core/time.ts";
import { localFileToWrite } from "../../ground/files/local-folder.ts";
import { withLock } from "../../ground/files/lock.ts";
import type { Project } from "../../ground/project/find-project.ts";
import { defaultBranch, forkFrom, textAt } from "../../ground/project/git.ts";
import { digestText, foreignLines, isForAll, type Referred } from "../../lessons/answers/digest.ts";
import { textOf } from "../../lessons/format/lesson.ts";
import { TRIGGERS, whenOf } from "../../lessons/format/when.ts";
import { goneNames } from "../../lessons/history/gone-names.ts";
import { snapshotAt, snapshotIn } from "../../lessons/history/known-versions.ts";
import { CARRIERS, DIGEST } from "../../lessons/hooks/digested.ts";
import { LessonFile } from "../../lessons/jsonl/lesson-file.ts";
import type { LessonLine, Snapshot } from "../../lessons/merge/versions.ts";
import { mostImportantFirst } from "../../lessons/queries/lesson-ranking.ts";
import { References } from "../../lessons/queries/references.ts";
import { type Edit, textBlock } from "../setup/edits/edit.ts";
import { contentOf, DIGEST_MARKS, holdsBlock, unixLines } from "../setup/edits/marked-block.ts";
import { apply, notable, planInit, planUninstall, type Step } from "../setup/plan.ts";
import { ProjectFiles } from "../setup/project-files.ts";

type Carrier = (typeof CARRIERS)[number];

const RULES_FOLDER = ".claude/rules/sentinel-memory";
const FRONT_MATTER = /^---\r?\n(?:(?!---).*\r?\n)*---\r?\n/;
const [CLAUDE, AGENTS, GEMINI] = CARRIERS;

interface Refreshed {
  readonly lessons: readonly Referred[];
  readonly steps: readonly Step[];
}

/** Updates the digest under a lock. @param isNew whether to turn it on. @returns the steps, and the lessons in it. */
export async function refreshDigest(project: Project, isNew = false): Promise<Refreshed> {
  const files = new ProjectFiles(project.folder);
  return withLock(localFileToWrite(project.context.local, "digest"), async () => {
    const snapshot = await new LessonFile(project.context.memoryFile).read();
    const lessons = await digestible(project, snapshot, await defaultBranch(project.folder));
    const edits = digestEdits(carriersIn(files, isNew && lessons.length > 0), lessons);
    // Two paths may lead to the same file.
    const paths = new Set(edits.map(({ path }) => files.realPath(path)));
    const over = digestParts(files).filter(({ path }) => !paths.has(files.realPath(path)));
    const steps = [...planInit(edits, files), ...planUninstall(over, files)];
    return { lessons, steps: await apply(notable(steps), files) };
  });
}

/** Removes the digest from every file. @returns the steps that change a file, or can't. */
export function removeDigest(files: ProjectFiles): Promise<Step[]> {
  return apply(notable(planUninstall(digestParts(files), files)), files);
}

/** Returns the existing parts of the digest, as edits that can remove them. */
export function digestParts(files: ProjectFiles): Edit[] {
  const rules = files.list(RULES_FOLDER).map((name) => `${RULES_FOLDER}/${name}`);
  const paths = [...CARRIERS, DIGEST, ...rules].filter((path) => holds(path, files));
  return paths.map((path) => partEdit(path, ""));
}

/** A part of the digest that differs from the one to write. */
interface Differing {
  readonly path: string;
  /** The lines that match no lesson. */
  readonly foreign: readonly string[];
}

/** Returns the outdated and missing parts of the digest. @param snapshot the lessons here. @throws SentinelError `not_found`. */
export async function examineDigest(
  project: Project,
  snapshot: Snapshot,
  files: ProjectFiles,
): Promise<Differing[]> {
  const branch = (await defaultBranch(project.folder)) ?? "HEAD";
  const lessons = await digestible(project, snapshot, branch);
  const known = await agreedOn(project, branch);
  const expected = new Map<string, string>();
  for (const { path } of digestParts(files)) {
    expected.set(path, "");
  }
  for (const { path, put } of digestEdits(carriersIn(files), lessons)) {
    const text = put(isCarrier(path) ? files.read(path) : undefined);
    expected.set(path, partOf(path, text));
  }
  const heads = known.flatMap((one) => headOf(one).split("\n"));
  const { start, end } = DIGEST_MARKS;
  const differing: Differing[] = [];
  for (const [path, right] of expected) {
    const text = partOf(path, tryOr(() => files.read(path), undefined) ?? "");
    if (text === right) {
      continue;
    }
    const usual = new Set(["", start, end, ...heads, ...right.split("\n")]);
    const foreign = foreignLines(text, known).filter((line) => !usual.has(line));
    differing.push({ path, foreign });
  }
  return differing;
}

/**
 * Returns the files that contain the digest, or those for a new one: the existing files, or else the file of the agent in use. A file
 * that is or includes AGENTS.md counts as AGENTS.md.
 */
export function carriersIn(files: ProjectFiles, isNew = false): Carrier[] {
  const chosen = CARRIERS.filter((path) => (isNew ? files.exists(path) : holds(path, files)));
  if (isNew && chosen.length === 0) {
    return [usualCarrier(files)];
  }
  const carriers: Carrier[] = [];
  for (const path of chosen) {
    const carrier = files.includesAgents(path) ? AGENTS : path;
    if (!carriers.some((other) => files.isSame(other, carrier))) {
      carriers.push(carrier);
    }
  }
  return carriers;
}

function usualCarrier(files: ProjectFiles): Carrier {
  if (files.exists(".claude") || files.exists(".mcp.json")) {
    return CLAUDE;
  }
  return files.exists(".gemini") ? GEMINI : AGENTS;
}

/** Returns the edits that write the whole digest. @param lessons the most important first. */
function digestEdits(carriers: readonly Carrier[], lessons: readonly Referred[]): Edit[] {
  const edits = carriers.map((path) =>
    partEdit(path, path === CLAUDE ? `@${DIGEST}` : digestText(lessons)),
  );
  if (!carriers.includes(CLAUDE)) {
    return edits;
  }
  const byHead = groupBy(lessons, headOf);
  edits.push(partEdit(DIGEST, digestText(byHead.get("") ?? [])));
  byHead.delete("");
  for (const [head, some] of byHead) {
    edits.push(partEdit(`${RULES_FOLDER}/${nameOf(head)}.md`, digestText(some), head));
  }
  return edits;
}

/** Edits the block in a file. @param head the start of a rule that we create, which goes with the block. */
function partEdit(path: string, content: string, head = ""): Edit {
  const block = textBlock(path, content, "digest");
  if (!path.startsWith(RULES_FOLDER)) {
    return block;
  }
  return {
    ...block,
    put: (text = head) => block.put(text),
    take(text) {
      const rest = block.take(text);
      const isEmpty = rest !== text && rest?.replace(FRONT_MATTER, "").trim() === "";
      return isEmpty ? undefined : rest;
    },
  };
}

const isCarrier = (path: string): boolean => CARRIERS.some((carrier) => carrier === path);

const holds = (path: string, files: ProjectFiles): boolean =>
  tryOr(() => holdsBlock(files.read(path) ?? "", DIGEST_MARKS), false);

/** Returns our text in a file: the block between the markers if the file also has other text, else the whole file. */
const partOf = (path: string, text: string): string =>
  isCarrier(path) ? (contentOf(text, DIGEST_MARKS) ?? "") : unixLines(text);

/** Returns the front matter of a rule for a lesson that only paths trigger. Empty for other lessons. */
function headOf({ version }: Referred): string {
  const when = whenOf(version);
  const isOnlyForPaths = TRIGGERS.every((kind) => kind === "paths" || !when[kind]);
  if (!when.paths || !isOnlyForPaths) {
    return "";
  }
  const paths = when.paths.map((path) => `  - ${JSON.stringify(path)}\n`);
  return `---\npaths:\n${paths.join("")}---\n`;
}

/** Returns a unique file name for these paths that is valid on every file system. */
function nameOf(head: string): string {
  const [, ...words] = head.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return [...words.slice(0, 6), hash("sha256", head).slice(0, 8)].join("-");
}

/** Returns the lessons that the digest may contain, the most important first. @param branch the default branch. @throws SentinelError `not_found`. */
async function digestible(
  { folder, context }: Project,
  snapshot: Snapshot,
  branch: string | undefined,
): Promise<Referred[]> {
  const agreed = branch === undefined ? undefined : await textAt(context.memoryFile, branch);
  if (agreed === undefined) {
    throw nothingAgreed(folder);
  }
  const texts = new Map<string, string>();
  for (const { version } of snapshotIn(agreed).lessons()) {
    texts.set(version.id, textOf(version));
  }
  const now = localMinute(Date.now());
  const lines = snapshot.lessons().filter(({ version, also }) => {
    const isAgreed = !also && texts.get(version.id) === textOf(version);
    return isAgreed && isForAll(version, now);
  });
  const shown = lines.map(({ version }) => version);
  const gone = await goneNames(shown, folder);
  const current = lines.filter(({ version }) => !gone.has(version.id));
  return referred(snapshot, current.sort(mostImportantFirst));
}

/** Returns all lessons that are on the default branch, or were when this branch left it. An outdated digest may contain any of them. */
async function agreedOn({ folder, context }: Project, branch: string): Promise<Referred[]> {
  const fork = await forkFrom(folder, branch);
  const agreed: Referred[] = [];
  for (const commit of [branch, fork?.commit ?? branch]) {
    const snapshot = await snapshotAt(context.memoryFile, commit);
    agreed.push(...referred(snapshot, snapshot.lessons()));
  }
  return agreed;
}

function referred(snapshot: Snapshot, lines: readonly LessonLine[]): Referred[] {
  const references = new References(snapshot);
  return lines.map((line) => ({ version: line.version, reference: references.short(line) }));
}

function nothingAgreed(folder: string): SentinelError {
  return new SentinelError(
    "not_found",
    `Git does not say which lessons the team of ${folder} agreed on, so nothing was changed: no default branch that is known here has a memory.`,
    "Commit the memory to main or master. If the remote's default branch has another name: git remote set-head origin --auto.",
  );
}
