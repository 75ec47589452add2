/** The plugin that hands sessions of opencode over: it writes no file, and asks nothing of the person. */

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
