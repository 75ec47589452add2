/**
 * The files that carry the digest. AGENTS.md holds it as a block. CLAUDE.md imports a generated file, and lessons that come up by paths
 * alone are rules of Claude Code, which it reads with the files they match.
 */
import { groupBy } from "../../ground/core/group-by.ts";
import { orElse } from "../../ground/core/or-else.ts";
import { CONTEXT_FOLDER } from "../../ground/project/context-folder.ts";
import { digestText, type Referred } from "../../lessons/answers/digest.ts";
import { TRIGGERS, whenOf } from "../../lessons/format/when.ts";
import { CARRIERS } from "../../lessons/hooks/digested.ts";
import { type Edit, ownFile, textBlock } from "../setup/edits/edit.ts";
import { unixLines } from "../setup/edits/line-end.ts";
import { contentOf, DIGEST_MARKS, holdsBlock } from "../setup/edits/marked-block.ts";
import { includesAgents } from "../setup/includes-agents.ts";
import type { ProjectFiles } from "../setup/project-files.ts";

const IMPORTED = `${CONTEXT_FOLDER}/digest.md`;
const RULES_FOLDER = ".claude/rules/sentinel-memory";
const [CLAUDE, AGENTS] = CARRIERS;

/** Those that hold it; none where it is off. */
export const carriersInUse = (files: ProjectFiles): string[] =>
  CARRIERS.filter((path) => orElse(() => holdsBlock(files.read(path) ?? "", DIGEST_MARKS), false));

/** Those that get it where it is turned on: the ones that are there, else the one of the agent in use. */
export function carriersFor(files: ProjectFiles): string[] {
  const there = CARRIERS.filter((path) => files.exists(path) && !includesAgents(path, files));
  return there.length > 0 ? there : [[".claude", ".mcp.json"].some((sign) => files.exists(sign)) ? CLAUDE : AGENTS];
}

/** All parts of it. @param lessons the most important first. */
export function digestEdits(carriers: readonly string[], lessons: readonly Referred[]): Edit[] {
  const blocks = carriers.map((path) =>
    textBlock(path, path === CLAUDE ? `@${IMPORTED}` : digestText(lessons), "", "digest"),
  );
  if (!carriers.includes(CLAUDE)) return blocks;
  const scoped = groupBy(lessons, ({ version }) => ruleOf(whenOf(version)));
  const imported = ownFile(IMPORTED, `${digestText(scoped.get(undefined) ?? [])}\n`, "digest");
  const rules = [...scoped].flatMap(([name, some]) =>
    name === undefined
      ? []
      : [ownFile(`${RULES_FOLDER}/${name}.md`, `${pathsOf(some)}${digestText(some)}\n`, "digest")],
  );
  return [...blocks, imported, ...rules];
}

/** Parts that are there, as edits that take them out. */
export function digestParts(files: ProjectFiles): Edit[] {
  const whole = [IMPORTED, ...files.list(RULES_FOLDER).map((name) => `${RULES_FOLDER}/${name}`)];
  return [
    ...carriersInUse(files).map((path) => textBlock(path, "", "", "digest")),
    ...whole.filter((path) => files.exists(path)).map((path) => ownFile(path, "", "digest")),
  ];
}

/** The digest's own lines in a file: of a block what is between its markers, of a rule what stands below its paths. */
export function partOf(path: string, text: string): string {
  if (CARRIERS.some((carrier) => carrier === path)) return contentOf(text, DIGEST_MARKS) ?? "";
  return unixLines(text)
    .replace(/^---\n[\s\S]*?\n---\n\n/, "")
    .trimEnd();
}

/** The name of the rule for a lesson that comes up by paths alone. */
function ruleOf(when: ReturnType<typeof whenOf>): string | undefined {
  if (!when.paths || TRIGGERS.some((kind) => kind !== "paths" && when[kind])) return undefined;
  return (
    when.paths
      .join("-")
      .replaceAll(/[^\w.-]+/g, "-")
      .replaceAll(/^-+|-+$/g, "")
      .slice(0, 60) || "any-file"
  );
}

function pathsOf(lessons: readonly Referred[]): string {
  const paths = new Set(lessons.flatMap(({ version }) => whenOf(version).paths ?? []));
  return ["---", "paths:", ...[...paths].map((path) => `  - ${JSON.stringify(path)}`), "---", "", ""].join("\n");
}
