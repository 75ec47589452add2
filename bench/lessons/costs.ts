/** What reaches a model, in tokens of the o200k vocabulary. */
import { resolve } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { Server } from "../../test/support/server.ts";
import { runNode } from "../support/run-node.ts";

export function tokens(text: string): number {
  return countTokens(text);
}

/** What each session pays before it does anything: the list of tools, and the instructions. */
export async function listCost(server: Server): Promise<number> {
  return tokens(await server.list("tools")) + tokens(await server.list("instructions"));
}

/** What the session hook adds to the context. */
export function sessionStart(folder: string): number {
  const payload = {
    session_id: "bench",
    cwd: folder,
    hook_event_name: "SessionStart",
    source: "startup",
  };
  const stdout = runNode([resolve("dist/server/hook.cjs")], { input: JSON.stringify(payload) });
  return stdout.trim() === "" ? 0 : tokens(JSON.parse(stdout).hookSpecificOutput.additionalContext);
}
