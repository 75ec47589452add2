/** Turns the tasks of a Claude Code session into Codex's plan: one list, which Codex rewrites with each change. */
import type { Line } from "./coding-sessions.ts";

interface Step {
  step: string;
  status: string;
}

const DELETED = "deleted";

export class CodexPlan {
  readonly #steps = new Map<string, Step>();
  /** The number of a task stands in the answer to the call that made it. */
  readonly #numbers: ReadonlyMap<string, string>;

  /** @param lines of the session. */
  constructor(lines: readonly Line[]) {
    this.#numbers = new Map(
      lines.flatMap(({ kind, id = "", text = "" }) => {
        const number = kind === "tool_result" ? /task #(\S+) created/i.exec(text)?.[1] : undefined;
        return number === undefined ? [] : [[id, number]];
      }),
    );
  }

  /** The call that writes the list after a change; undefined for a call that changes no task. */
  after({
    tool,
    id = "",
    input = {},
  }: Line): [string, Readonly<Record<string, unknown>>] | undefined {
    if (tool !== "TaskCreate" && tool !== "TaskUpdate") return undefined;
    const number = tool === "TaskCreate" ? (this.#numbers.get(id) ?? id) : String(input.taskId);
    const before = this.#steps.get(number) ?? { step: `Task ${number}`, status: "pending" };
    this.#steps.set(number, {
      step: String(input.subject ?? before.step),
      status: String(input.status ?? before.status),
    });
    const plan = [...this.#steps.values()].filter(({ status }) => status !== DELETED);
    return ["update_plan", { plan }];
  }
}
