/** opencode: its configuration, which has a different entry format, its plugins and its result limit. */
import { claudeCodeProtocol, readFields, SESSION_START } from "./claude-code.ts";
import type { Client } from "./client.ts";
import type { EventKind, HookProtocol } from "./hook-event.ts";

/** The opencode event in which our plugin adds to a tool's result. */
const AFTER_TOOL = "tool.execute.after";

/** The event name under which the plugin sends a session. */
export const OPENCODE_EVENT = "opencode";

/** This file doesn't import it. The generated plugins do. */
const PROCESSES = "node:child_process";

/** The plugins' code to call a process. It returns an empty answer if the process fails. @param started the expression that starts the process. */
const asking = (started: string): string => `const ask = (payload) =>
  new Promise((done) => {
    let text = "";
    const child = ${started};
    child.once("error", () => done(""));
    child.once("close", () => done(text));
    child.stdin.once("error", () => undefined);
    child.stdout.on("data", (part) => (text += part));
    child.stdin.end(JSON.stringify(payload));
  });`;

/** Returns the session plugin's code. @param command the program and its arguments. It gets the messages on standard input and prints where work stopped. @internal */
export function opencodePlugin(command: readonly string[]): string {
  return `// Hands this project's sessions to the session log, and tells a new one where work stopped.
// Written by sentinel-memory sessions on; sessions off removes it.
import { spawn } from ${JSON.stringify(PROCESSES)};

const [program, ...args] = ${JSON.stringify(command)};

${asking('spawn(program, args, { detached: true, stdio: ["pipe", "pipe", "ignore"] })')}

export const SentinelMemoryRecord = async ({ client }) => {
  const sent = new Set();
  const starts = new Map();
  const look = (id) =>
    Promise.all([client.session.get, client.session.messages].map((one) => one.call(client.session, { path: { id } })));
  const hand = async (id) => {
    const [session, all] = await look(id);
    const messages = (all.data ?? []).filter(({ info }) => !sent.has(info.id));
    if (!session.data || messages.length === 0) return;
    await ask({
      hook_event_name: ${JSON.stringify(OPENCODE_EVENT)},
      session_id: id,
      cwd: session.data.directory,
      opencode: { session: session.data, messages },
    });
    for (const { info } of messages) sent.add(info.id);
  };
  const start = async (id) => {
    const [{ data }, all] = await look(id);
    // A child agent has its task, and a session that is taken up its conversation.
    if (data.parentID || all.data.filter(({ info }) => info.role === "user").length > 1) return undefined;
    const payload = { hook_event_name: ${JSON.stringify(SESSION_START)}, session_id: id, cwd: data.directory };
    return JSON.parse(await ask(payload)).hookSpecificOutput.additionalContext;
  };
  return {
    event: async ({ event }) => {
      if (event.type === "session.idle") await hand(event.properties.sessionID).catch(() => undefined);
    },
    // The plugin adds it to each request, and to no message of the session.
    "experimental.chat.system.transform": async ({ sessionID: id }, { system }) => {
      if (!id) return;
      if (!starts.has(id)) starts.set(id, start(id).catch(() => undefined));
      const text = await starts.get(id);
      if (text) system.push(text);
    },
  };
};
`;
}

/** Returns the plugin that a team shares. @param command the hook's shell command line. @param tools whose results may get a lesson. */
function lessonsPlugin(command: string, tools: readonly string[]): string {
  return `// Gives lessons of this project with the results of calls. Written by sentinel-memory init; uninstall removes it.
import { spawn } from ${JSON.stringify(PROCESSES)};

const command = ${JSON.stringify(command)};
const project = import.meta.dirname + "/../..";
const tools = ${JSON.stringify(tools)};

${asking('spawn(command, { shell: true, cwd: project, stdio: ["pipe", "pipe", "ignore"] })')}

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
        tool_response: command && result.output,
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

const TOOLS: Readonly<Record<string, EventKind>> = {
  bash: "result",
  read: "read",
  write: "edit",
  edit: "edit",
};

/** Our plugin builds this payload from opencode's event. */
export const opencodeProtocol: HookProtocol = {
  ...claudeCodeProtocol,
  name: "opencode",
  events: [AFTER_TOOL],
  sent: (payload) => payload.text("hook_event_name") === AFTER_TOOL,
  read: (payload) => {
    const kind = TOOLS[payload.text("tool_name")];
    return kind && readFields(payload, AFTER_TOOL, kind);
  },
  hold: undefined,
};

export const opencode: Client = {
  id: "opencode",
  name: "opencode",
  clientName: /^opencode$/i,
  signs: ["opencode.json", "opencode.jsonc", ".opencode"],
  server: {
    files: ["opencode.json", "opencode.jsonc"],
    format: "json",
    key: "mcp",
    entry: ({ here }) => ({ type: "local", command: [here.command, ...here.args] }),
    frame: { $schema: "https://opencode.ai/config.json" },
  },
  rules: "AGENTS.md",
  hooks: {
    path: ".opencode/plugins/sentinel-memory.js",
    plugin: (command) => lessonsPlugin(command, Object.keys(TOOLS)),
    protocol: opencodeProtocol,
    needsTrust: true,
  },
  sessionHooks: {
    path: ".opencode/plugins/sentinel-memory-record.js",
    plugin: opencodePlugin,
    signs: [".config/opencode", ".local/share/opencode"],
  },
  asks: "nothing; start opencode in the project.",
};
