/** The plugins of opencode: one gives lessons with the results of calls, one hands sessions over. They ask nothing of the person. */

/** The event whose result our plugin adds to, as opencode spells it. */
export const AFTER_TOOL = "tool.execute.after";

/** The event as which it hands a session over. */
export const OPENCODE_EVENT = "opencode";

/** What the plugin imports, not this file. */
const PROCESSES = "node:child_process";

/** @param command the program and its arguments, which gets the messages on its standard input. */
export function opencodePlugin(command: readonly string[]): string {
  return `// Hands this project's sessions to the session log. Written by sentinel-memory record on; record off removes it.
import { spawn } from ${JSON.stringify(PROCESSES)};

const [program, ...args] = ${JSON.stringify(command)};

export const SentinelMemoryRecord = async ({ client }) => {
  const sent = new Set();
  const hand = async (id) => {
    const [session, all] = await Promise.all(
      [client.session.get, client.session.messages].map((ask) => ask.call(client.session, { path: { id } })),
    );
    const messages = (all.data ?? []).filter(({ info }) => !sent.has(info.id));
    if (!session.data || messages.length === 0) return;
    const payload = {
      hook_event_name: ${JSON.stringify(OPENCODE_EVENT)},
      session_id: id,
      cwd: session.data.directory,
      opencode: { session: session.data, messages },
    };
    const child = spawn(program, args, { detached: true, stdio: ["pipe", "ignore", "ignore"] });
    await new Promise((done) => {
      child.once("error", done);
      child.once("close", done);
      child.stdin.once("error", done);
      child.stdin.end(JSON.stringify(payload));
    });
    for (const { info } of messages) sent.add(info.id);
  };
  return {
    event: async ({ event }) => {
      if (event.type === "session.idle") await hand(event.properties.sessionID).catch(() => undefined);
    },
  };
};
`;
}

/** The plugin that the team shares. @param command the line of the hook, for a shell. @param tools those whose results may get a lesson. */
export function lessonsPlugin(command: string, tools: readonly string[]): string {
  return `// Gives lessons of this project with the results of calls. Written by sentinel-memory init; uninstall removes it.
import { spawn } from ${JSON.stringify(PROCESSES)};

const command = ${JSON.stringify(command)};
const project = import.meta.dirname + "/../..";
const tools = ${JSON.stringify(tools)};

const ask = (payload) =>
  new Promise((done) => {
    let text = "";
    const child = spawn(command, { shell: true, cwd: project, stdio: ["pipe", "pipe", "ignore"] });
    child.once("error", () => done(""));
    child.once("close", () => done(text));
    child.stdin.once("error", () => undefined);
    child.stdout.on("data", (part) => (text += part));
    child.stdin.end(JSON.stringify(payload));
  });

export const SentinelMemoryLessons = async ({ directory }) => {
  const inputs = new Map();
  return {
    "tool.execute.before": async ({ tool, callID }, { args }) => {
      if (tools.includes(tool)) inputs.set(callID, args);
    },
    ${JSON.stringify(AFTER_TOOL)}: async ({ tool, sessionID, callID }, result) => {
      const { command, filePath } = inputs.get(callID) ?? {};
      if (!inputs.delete(callID)) return;
      const payload = {
        hook_event_name: ${JSON.stringify(AFTER_TOOL)},
        session_id: sessionID,
        cwd: directory,
        tool_name: tool,
        tool_input: { command, file_path: filePath },
        ...(result.metadata?.exit ? { error: result.output } : {}),
      };
      try {
        const answer = JSON.parse(await ask(payload));
        result.output += "\\n\\n" + answer.hookSpecificOutput.additionalContext;
      } catch {
        // No lesson, or no hook here: the result stays as it is.
      }
    },
  };
};
`;
}
