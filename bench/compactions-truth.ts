/** What stood before each compaction of a transcript of Claude Code, read without anything of the product. */

export const ASPECTS = [
  "request",
  "last command",
  "files in flight",
  "open tasks",
  "decision",
  "child agents",
] as const;
type Aspect = (typeof ASPECTS)[number];

export interface Compaction {
  readonly session: string;
  /** ISO 8601. */
  readonly at: string;
  /** The folder in which the session was. */
  readonly cwd: string;
  /** The lines up to the compaction. */
  readonly transcript: string;
  /** Of each aspect the things that stood, each as texts that have to be told, in their normal form. */
  readonly before: Readonly<Record<Aspect, readonly (readonly string[])[]>>;
}

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: Record<string, unknown>;
  readonly tool_use_id?: string;
  readonly is_error?: boolean;
  readonly content?: unknown;
}

interface Line {
  readonly type: string;
  readonly subtype?: string;
  readonly sessionId?: string;
  readonly timestamp?: string;
  readonly cwd?: string;
  readonly isSidechain?: boolean;
  readonly isMeta?: boolean;
  readonly isCompactSummary?: boolean;
  readonly message?: { readonly content?: string | readonly Block[] };
  readonly toolUseResult?: unknown;
}

/** Of a text, what has to be told; longer ones are cut. */
const TOLD_CHARACTERS = 60;
const REAL_REQUEST = 20;
const FILES = 3;
const EDITS = ["Edit", "Write", "MultiEdit", "NotebookEdit"];
const STATUSES: Readonly<Record<string, string>> = { completed: "done", deleted: "dropped" };

export function normal(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll("`", "'").trim();
}

export function compactionsIn(text: string): Compaction[] {
  const texts = text.split("\n");
  const lines = texts.map(parse);
  const cwds = lines.flatMap((line) => line?.cwd ?? []).sort((a, b) => a.length - b.length);
  return lines.flatMap((line, index) => {
    if (line?.type !== "system" || line.subtype !== "compact_boundary" || line.isSidechain)
      return [];
    const { sessionId: session = "", timestamp: at = "" } = line;
    const [cwd = ""] = cwds;
    const own = lines
      .slice(0, index)
      .filter((other) => other !== undefined && other.sessionId === session);
    const transcript = `${texts.slice(0, index + 1).join("\n")}\n`;
    return [{ session, at, cwd, transcript, before: stoodBefore(own as Line[], cwd) }];
  });
}

function stoodBefore(lines: readonly Line[], cwd: string): Compaction["before"] {
  const calls = new Map<string, Block>();
  const files = new Map<string, boolean>();
  const tasks = new Map<string, { title: string; status: string }>();
  const running = new Map<string, string>();
  let request: string | undefined;
  let command: readonly string[] | undefined;
  let decision: string | undefined;
  for (const line of lines) {
    const content = line.message?.content ?? [];
    const blocks: readonly Block[] =
      typeof content === "string" ? [{ type: "text", text: content }] : content;
    if (line.type === "user" && !line.isSidechain && !line.isMeta && !line.isCompactSummary) {
      const said = blocks.flatMap(({ type, text = "" }) =>
        type === "text" && !/^\s*<|^\[Request/.test(text) ? [text] : [],
      );
      if (said.join("\n").trim().length > REAL_REQUEST) request = said.join("\n").trim();
      if (/^Implement the following plan:/.test(request ?? "") && said.length > 0)
        decision = (request ?? "").replace(/^[^\n]*\s+#*\s*/, "").split("\n", 1)[0];
    }
    for (const block of blocks) {
      const { name = "", input = {} } = block;
      if (block.type === "tool_use" && block.id !== undefined) {
        calls.set(block.id, block);
        if (["Task", "Agent"].includes(name))
          running.set(block.id, String(input.description ?? input.prompt));
      }
      const call = block.type === "tool_result" ? calls.get(block.tool_use_id ?? "") : undefined;
      if (call) answered(call, block, line);
    }
  }
  function answered(
    { id = "", name = "", input = {} }: Block,
    { is_error, content }: Block,
    line: Line,
  ): void {
    if (!isInBackground(line.toolUseResult)) running.delete(id);
    const words = typeof content === "string" ? content : JSON.stringify(content ?? "");
    if (name === "Bash" && !line.isSidechain && !/^.{0,40}Sibling tool call errored/.test(words))
      command = [
        normal(String(input.command)).slice(0, TOLD_CHARACTERS),
        is_error ? outcomeOf(words) : "ended well",
      ];
    if (is_error) return;
    const path = input.file_path ?? input.notebook_path;
    if (typeof path === "string" && (EDITS.includes(name) || name === "Read")) {
      const isEdited = EDITS.includes(name) || files.get(path) === true;
      files.delete(path);
      files.set(path, isEdited);
    }
    if (name === "TaskCreate") {
      const number = /#(\S+) created/.exec(words)?.[1] ?? "";
      tasks.set(number, { title: String(input.subject), status: "open" });
    }
    const task = tasks.get(String(input.taskId));
    if (name === "TaskUpdate" && task)
      tasks.set(String(input.taskId), {
        title: String(input.subject ?? task.title),
        status:
          input.status === undefined ? task.status : (STATUSES[String(input.status)] ?? "open"),
      });
    if (name === "TodoWrite" && Array.isArray(input.todos)) {
      tasks.clear();
      for (const { content: title, status } of input.todos)
        tasks.set(String(title), { title: String(title), status: STATUSES[status] ?? "open" });
    }
    if (name === "AskUserQuestion") decision = /"="([^"]+)"/.exec(words)?.[1] ?? decision;
    if (name === "ExitPlanMode" && /has approved/.test(words))
      decision =
        String(input.plan ?? "")
          .trim()
          .replace(/^#+\s*/, "")
          .split("\n", 1)[0] || decision;
  }
  const relative = (path: string) =>
    path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
  const touched = [...files.keys()].reverse();
  const edited = touched.filter((path) => files.get(path));
  const inFlight = new Set([...touched.slice(0, FILES), ...edited.slice(0, FILES)]);
  return {
    request: request === undefined ? [] : [[normal(request).slice(0, TOLD_CHARACTERS)]],
    "last command": command === undefined ? [] : [command],
    "files in flight": [...inFlight].map((path) => [relative(path)]),
    "open tasks": [...tasks.values()]
      .filter(({ status }) => status === "open")
      .map(({ title }) => [normal(title).slice(0, TOLD_CHARACTERS)]),
    decision: decision === undefined ? [] : [[normal(decision).slice(0, TOLD_CHARACTERS)]],
    "child agents": [...running.values()].map((task) => [normal(task).slice(0, TOLD_CHARACTERS)]),
  };
}

function outcomeOf(words: string): string {
  return /The user doesn't want to|Permission to use/.test(words) ? "was refused" : "failed";
}

function isInBackground(details: unknown): boolean {
  return (
    typeof details === "object" &&
    details !== null &&
    "status" in details &&
    /launched|spawned/.test(String(details.status))
  );
}

function parse(text: string): Line | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
