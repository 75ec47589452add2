/**
 * How much longer a session of 200 tool calls gets by our hooks. The difference of two whole sessions is smaller than the noise of a machine, so
 * the sum is taken: a scripted client waits for each hook, as agents do, and the time that it waits is compared with the time of all calls.
 *
 * In 12 real sessions of Claude Code with 20 calls or more, a call came every 4.6 to 26 s. Here it takes 0.3 s; the share of the
 * quickest real session is stated beside it.
 */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { HOOK_TOOL } from "../../src/ground/clients/hook-call.ts";
import type { Lesson } from "../../src/lessons/format/lesson.ts";
import { ours, withServer } from "../support/servers.ts";
import { sized } from "../support/sized.ts";
import { type Row, round } from "../support/table.ts";

export const CALLS = sized(200, 20);
export const CALL_MS = sized(300, 10);
const CALL_OF_QUICKEST_MS = 4_600;
const CALLS_OF_A_TURN = 20;
/** Of the book-keeping of Linux. */
const TICK_MS = 10;

/**
 * @param lessons some of which come up: the command of one is called in each turn.
 * @param meets a command that brings a lesson, for the number of a turn.
 */
export async function sessionRow(
  lessons: readonly Lesson[],
  meets: (turn: number) => string,
): Promise<Row> {
  const start = ours(lessons);
  return withServer(start, async (server) => {
    let [hooks, waited] = [0, 0];
    const hook = async (hook_event_name: string, event: object) => {
      const began = performance.now();
      await server.call(HOOK_TOOL, {
        session_id: "a",
        cwd: start.folder,
        hook_event_name,
        ...event,
      });
      waited += performance.now() - began;
      hooks++;
    };
    const before = processorMs(server.pid);
    const began = performance.now();
    for (let call = 0; call < CALLS; call++) {
      const [turn, place] = [Math.floor(call / CALLS_OF_A_TURN), call % CALLS_OF_A_TURN];
      if (place === 0) {
        await hook("UserPromptSubmit", { prompt: lessons[turn]?.missing_context ?? "" });
      }
      const file = { "tool_input.file_path": `${start.folder}/src/file-${call}.ts` };
      const command = place === 1 ? meets(turn) : `git push origin branch-${call}`;
      const tool = TOOLS[place % TOOLS.length];
      const used = {
        tool_name: tool,
        ...(tool === "Bash" ? { "tool_input.command": command } : file),
      };
      if (tool !== "Read") {
        await hook("PreToolUse", used);
      }
      await sleep(CALL_MS);
      if (tool !== "Bash") {
        await hook("PostToolUse", used);
      } else if (place === 2) {
        await hook("PostToolUseFailure", {
          ...used,
          error: `Exit code 1\nfatal: no branch-${call}`,
        });
      }
      if (place === CALLS_OF_A_TURN - 1) {
        await hook("Stop", { stop_hook_active: "false" });
      }
    }
    const rest = performance.now() - began - waited;
    const processor = processorMs(server.pid) - before;
    return {
      lessons: lessons.length,
      "tool calls": CALLS,
      hooks,
      "session without them, s": round(rest / 1_000, 1),
      "waited for hooks, ms": round(waited, 0),
      "longer by, %": round((100 * waited) / rest, 2),
      "at 4.6 s a call, %": round((100 * waited) / (CALLS * CALL_OF_QUICKEST_MS), 2),
      "processor time of the server, ms": processor,
      "of the session, %": round((100 * processor) / rest, 2),
    };
  });
}

const TOOLS = ["Bash", "Bash", "Bash", "Read", "Edit"];

/** In user and system mode until now; 0 where there is no such book-keeping. */
function processorMs(pid: number): number {
  try {
    const [user, system] = (readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1] ?? "")
      .split(" ")
      .slice(11, 13);
    return TICK_MS * (Number(user) + Number(system));
  } catch {
    return 0;
  }
}
