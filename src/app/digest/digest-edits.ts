/** The files that contain the digest, each as a block between markers: AGENTS.md, GEMINI.md, the file that CLAUDE.md imports, and path-specific rules. */
import { hash } from "node:crypto";
import { groupBy } from "../../ground/core/collections.ts";
import { tryOr } from "../../ground/core/errors.ts";
import { digestText, foreignLines, type Referred } from "../../lessons/answers/digest.ts";
import { TRIGGERS, whenOf } from "../../lessons/format/when.ts";
import { CARRIERS, DIGEST } from "../../lessons/hooks/digested.ts";
import { type Edit, textBlock } from "../setup/edits/edit.ts";
import { contentOf, DIGEST_MARKS, holdsBlock, unixLines } from "../setup/edits/marked-block.ts";
import type { ProjectFiles } from "../setup/project-files.ts";

const RULES_FOLDER = ".claude/rules/sentinel-memory";
const [CLAUDE, AGENTS, GEMINI] = CARRIERS;
/** Matches the front matter of a rule, above its block. It lists the paths that the rule applies to. */
const HEAD = /^---\r?\n(?:(?!---).*\r?\n)*---\r?\n/;

/** Returns the files that contain the digest, or none if it's off. For a file that is or includes AGENTS.md, it returns AGENTS.md. */
export function carriersInUse(files: ProjectFiles): string[] {
  const carriers = new Set<string>();
  for (const path of CARRIERS)
    if (holds(path, files)) carriers.add(files.includesAgents(path) ? AGENTS : path);
  return withoutLinks([...carriers], files);
}

/** Returns the files for a new digest: those that exist, or else the file of the agent in use. */
export function carriersFor(files: ProjectFiles): string[] {
  const existing = CARRIERS.filter((path) => files.exists(path) && !files.includesAgents(path));
  if (existing.length > 0) return withoutLinks(existing, files);
  if (files.exists(".claude") || files.exists(".mcp.json")) return [CLAUDE];
  return [files.exists(".gemini") ? GEMINI : AGENTS];
}

/** Removes paths that link to an earlier path. */
function withoutLinks(paths: readonly string[], files: ProjectFiles): string[] {
  return paths.filter((path, index) => {
    const earlier = paths.slice(0, index);
    return !earlier.some((other) => files.isSame(other, path));
  });
}

/** Returns the edits that write the whole digest. @param lessons the most important first. */
export function digestEdits(carriers: readonly string[], lessons: readonly Referred[]): Edit[] {
  const edits = carriers.map((path) => {
    return digestBlock(path, path === CLAUDE ? `@${DIGEST}` : digestText(lessons));
  });
  if (!carriers.includes(CLAUDE)) return edits;
  const byHead = groupBy(lessons, headOf);
  edits.push(digestBlock(DIGEST, digestText(byHead.get("") ?? [])));
  byHead.delete("");
  for (const [head, some] of byHead)
    edits.push(digestBlock(`${RULES_FOLDER}/${nameOf(head)}.md`, digestText(some), head));
  return edits;
}

const digestBlock = (path: string, content: string, head = ""): Edit =>
  textBlock(path, content, head, "digest");

/** Returns the existing parts of the digest, as edits that can remove them. */
export function digestParts(files: ProjectFiles): Edit[] {
  const rules = files.list(RULES_FOLDER).map((name) => `${RULES_FOLDER}/${name}`);
  const holding = [...CARRIERS, DIGEST, ...rules].filter((path) => holds(path, files));
  return holding.map((path) => {
    const text = isCarrier(path) ? "" : files.read(path);
    const [head] = HEAD.exec(text ?? "") ?? [];
    return digestBlock(path, "", head);
  });
}

/** Returns the outdated or missing parts of the digest, each with the lines that match no lesson. @param known all lessons that the digest may have contained. */
export function examineDigest(
  lessons: readonly Referred[],
  known: readonly Referred[],
  files: ProjectFiles,
) {
  const expected = new Map<string, string>();
  for (const { path } of digestParts(files)) expected.set(path, "");
  for (const { path, put } of digestEdits(carriersInUse(files), lessons)) {
    const text = put(isCarrier(path) ? files.read(path) : undefined);
    expected.set(path, partOf(path, text));
  }
  const heads = known.flatMap((one) => headOf(one).split("\n"));
  const differing: { path: string; foreign: string[] }[] = [];
  for (const [path, right] of expected) {
    const text = partOf(path, tryOr(() => files.read(path), undefined) ?? "");
    if (text === right) continue;
    const { start, end } = DIGEST_MARKS;
    const usual = new Set(["", start, end, ...heads, ...right.split("\n")]);
    const foreign = foreignLines(text, known).filter((line) => !usual.has(line));
    differing.push({ path, foreign });
  }
  return differing;
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
  if (!when.paths || !isOnlyForPaths) return "";
  const paths = when.paths.map((path) => `  - ${JSON.stringify(path)}\n`);
  return `---\npaths:\n${paths.join("")}---\n`;
}

/** Returns a unique file name for these paths that is valid on every file system. */
function nameOf(head: string): string {
  const [, ...words] = head.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return [...words.slice(0, 6), hash("sha256", head).slice(0, 8)].join("-");
}
