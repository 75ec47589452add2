/** The one door for calls: it finds the tool, reads the arguments, and makes the result. Handlers neither catch nor format. */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { SentinelError } from "../../ground/core/errors.ts";
import { explain } from "../../ground/tool/explain.ts";
import { completeAnswer } from "./complete-answer.ts";
import type { ServerContext, ServerTool } from "./toolsets.ts";

/**
 * Runs one call. Never throws: an error is a result too, so that the model sees what to do about it.
 *
 * @param listed the tools that a client is told of.
 * @param contextOf called once the arguments have been read; fails when there is no project.
 */
export async function callTool(
  { tools, listed }: { readonly tools: readonly ServerTool[]; readonly listed: () => readonly ServerTool[] },
  name: string,
  args: Readonly<Record<string, unknown>>,
  contextOf: () => Promise<ServerContext>,
): Promise<CallToolResult> {
  try {
    const tool = tools.find(({ definition }) => definition.name === name);
    if (!tool) throw unknownTool(name, listed());
    const call = tool.prepare(args);
    const context = await contextOf();
    return await completeAnswer(tool, call, context);
  } catch (error) {
    return { content: [{ type: "text", text: explain(error) }], isError: true };
  }
}

function unknownTool(name: string, tools: readonly ServerTool[]): SentinelError {
  const names = tools.map(({ definition }) => definition.name).join(", ");
  return new SentinelError("unknown_tool", `There is no tool "${name.slice(0, 40)}".`, `Use one of: ${names}.`);
}
