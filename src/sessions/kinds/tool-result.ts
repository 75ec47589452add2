/** A tool's answer, and how its call ended. */

import { present } from "../../ground/core/text.ts";
import { cut, eventKind, isOfChildAgent, pathsIn, shortened, slot } from "./kind.ts";
import { COMMIT, commandSignatures, stagedBy } from "./texts/command-lines.ts";
import { plainLine, saysWhy } from "./texts/error-lines.ts";
import { WORK } from "./tool-call.ts";

const LINE_CHARACTERS = 200;
const LINES_LOOKED_AT = 10;
const EXIT_CODE = /^Exit code \d+$/;
const COMMITS = /\bgit(?:\s+-\S+(?:\s+[^\s-]\S*)?)*?\s+commit(?=\s|$)/;
/** The report of a git wrapper that exits with 0. */
const COMMIT_FAILED = /^FAILED: git commit/m;

export const toolResult = eventKind({
  name: "tool_result",
  fields: {
    ...WORK,
    /** The whole answer in a draft. The stored part is `excerpt_text`. */
    text: "text",
    excerpt_text: "text",
    truncated: "flag",
    /** Bytes (UTF-8) and lines of the whole answer after redaction. */
    stats: "json",
    artifact_id: "text",
    /** The first and last line shown of a file. */
    line_range: "json",
    /** Absent if the call succeeded. */
    outcome: "text",
    reason: "text",
    commit: "json",
    child_agent: "text",
    /** Whether a command or child agent is still running in the background. */
    goes_on: "flag",
    images: "json",
    /** Only in briefs: the most informative line of the answer. */
    line: "text",
    /** Only in briefs: the files that a command stages, and whether it commits. */
    staged: "texts",
    commits: "flag",
  },
  form: {
    name: "A tool_result",
    needs: ["tool", "text"],
    may: ["path", "command", "outcome", "line_range", "truncated"],
    oneOf: { outcome: ["failed", "not_found", "refused_by_user"] },
  },
  isOfTools: true,
  searched: ["path", "excerpt_text", "reason"],
  brief({ content }) {
    const outcome = outcomeOf({ content });
    const worked = {
      command: 300,
      path: 300,
      outcome: 40,
      child_agent: 100,
      child_task: 300,
    } as const;
    const short = shortened(content, worked);
    if (outcome === undefined && Object.keys(short).length === 0) {
      return undefined;
    }
    const line = content.command === undefined ? "" : lineOf(content.excerpt_text ?? "", outcome);
    const isDone = outcome === undefined && content.goes_on !== true;
    const command = isDone && content.command?.includes("git") ? content.command : "";
    const more = {
      outcome,
      line: line === "" ? undefined : line,
      staged: stagedBy(command),
      commits: commandSignatures(command).includes(COMMIT),
    };
    return {
      ...short,
      ...shortened(content, { other_paths: [12, 300], edits: "flag", goes_on: "flag" }),
      ...shortened(more, {
        outcome: 40,
        line: LINE_CHARACTERS,
        staged: [40, 300],
        commits: "flag",
      }),
    };
  },
  slots(event) {
    const { id, content, refs } = event;
    const { command, outcome, child_task, child_agent } = content;
    const isDone = outcome === undefined && content.goes_on !== true;
    const works = isDone ? commandSignatures(command ?? "") : [];
    // Unsuccessful calls touched no file and must not displace a call that did.
    const paths = outcome === undefined ? pathsIn(content) : [];
    const isCommand = command !== undefined && !isOfChildAgent(event);
    const edited = content.edits === true ? paths : [];
    const isOfChild = child_task !== undefined || child_agent !== undefined;
    return present(
      isCommand && slot("command", id, 2),
      isCommand && outcome === "failed" && slot("failed", id, 8),
      (content.staged || content.commits) && slot("git", id, 20),
      ...works.map((name) => slot("works", name, 80)),
      outcome !== undefined && outcome !== "failed" && slot("not done", "", 1),
      ...paths.map((name) => slot("file", name, 12)),
      ...edited.map((name) => slot("edit", name, 12)),
      isOfChild && slot("answered", refs[0] ?? id, 40),
    );
  },
  windowTokens: 120,
  importance: 0.2,
});

interface Ended {
  readonly content: {
    readonly command?: string;
    readonly excerpt_text?: string;
    readonly outcome?: string;
  };
}

/** The outcome of a call. Also detects failed commits that a git wrapper hides. */
export function outcomeOf({
  content: { command = "", excerpt_text = "", outcome },
}: Ended): string | undefined {
  if (outcome !== undefined) {
    return outcome;
  }
  return COMMITS.test(command) && COMMIT_FAILED.test(excerpt_text) ? "failed" : undefined;
}

/** The first line that explains a failure, else the first one that isn't only an exit code. */
function lineOf(output: string, outcome: string | undefined): string {
  const lines = output.split("\n").map(plainLine);
  const why = outcome === undefined ? undefined : lines.find(saysWhy);
  const first = lines
    .slice(0, LINES_LOOKED_AT)
    .find((line) => line !== "" && !EXIT_CODE.test(line));
  return cut(why ?? first ?? "", LINE_CHARACTERS);
}
