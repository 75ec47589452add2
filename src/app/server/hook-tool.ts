/** The tool that clients call as a hook. It's not listed, answers in the client's hook format or with nothing, and logs no input. */
import { payloadOfCall } from "../../ground/clients/hook-call.ts";
import { readPayload } from "../../ground/clients/hook-protocols.ts";
import type { Project } from "../../ground/project/find-project.ts";
import { type ToolResult, textResult } from "../../ground/tool/tool.ts";
import { nameOfError, noteHookError } from "../../lessons/hooks/hook-errors.ts";
import { openMemoryFile } from "../../lessons/hooks/memory-file.ts";
import { SolvedFailures } from "../../lessons/hooks/solved-failures.ts";
import { logSpeaks } from "../../sessions/hooks/log-speaks.ts";
import { commandLineIn, startCapture } from "../../sessions/hooks/start-capture.ts";
import { answerPayload } from "../hooks/answer-payload.ts";

/** Opens the handler for hook events of all sessions that use one server. */
export function openHookCalls(project: Project, env: NodeJS.ProcessEnv) {
  const lessons = openMemoryFile(project.context.memoryFile);
  const failures = new SolvedFailures();
  const outputFor = async (
    args: Readonly<Record<string, unknown>>,
  ): Promise<object | undefined> => {
    const payload = payloadOfCall(args);
    const { sent, problem } = readPayload(payload);
    if (problem !== undefined) noteHookError(project.context.local, problem);
    if (!sent) return undefined;
    const { session, kind, command, output } = sent.event;
    if (kind === "before-command") failures.runs(session, command);
    if (kind === "failure") failures.fails(session, command, output);
    if (kind === "stop" && sent.client.startsCaptures && logSpeaks(project.folder)) {
      const program = commandLineIn(import.meta.dirname);
      await startCapture({ program, folder: project.folder, payload: JSON.stringify(payload) });
    }
    return answerPayload(sent, project, env, { lessons, solved: failures.of(session) });
  };
  /** Fails without an answer, like a hook's process. `doctor` shows the error. */
  return async (args: Readonly<Record<string, unknown>>): Promise<ToolResult> => {
    const output = await outputFor(args).catch((error: unknown) => {
      noteHookError(project.context.local, `a hook failed: ${nameOfError(error)}`);
      return undefined;
    });
    return output ? textResult(JSON.stringify(output)) : { content: [] };
  };
}
