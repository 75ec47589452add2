/** Hands over what opencode's plugin would, to the hook of the session log. */
import { dirname, join } from "node:path";
import { BIN, type Project } from "./project.ts";
import { runProcess } from "./run-process.ts";
import { UNHURRIED } from "./unhurried.ts";

const SESSION = "ses_dfde57ae9ffeiLIXYqeySniJug";

/** As opencode's own interface gives a session and its messages. */
export function handed(project: Project, texts: readonly string[], more: object = {}) {
  const created = Date.now();
  const session = {
    id: SESSION,
    directory: project.folder,
    version: "1.18.33",
    time: { created },
    ...more,
  };
  const messages = texts.map((text, index) => ({
    info: {
      id: `msg_2021a871c001jpY5zkgYhYtdP${index}`,
      role: index % 2 ? "assistant" : "user",
      time: { created: created + index },
    },
    parts: [{ type: "text", text }],
  }));
  return {
    hook_event_name: "opencode",
    session_id: SESSION,
    cwd: project.folder,
    opencode: { session, messages },
  };
}

/** @throws Error where the hook says anything: an agent would show it. */
export async function hand(project: Project, payload: object): Promise<void> {
  const hook = join(dirname(BIN), "server/sentinel-memory.cjs");
  const env = { ...project.env, ...UNHURRIED };
  const place = { cwd: project.folder, env, stdin: JSON.stringify(payload) };
  const { exit, stdout, stderr } = await runProcess(
    process.execPath,
    [hook, "session-hook"],
    place,
  );
  if (exit !== 0 || stdout + stderr !== "") {
    throw new Error(`The hook ended with ${exit}: ${stdout}${stderr}`);
  }
}
