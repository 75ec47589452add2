/** Runs an agent until a person stops it, in the way of each client, in the middle of its work. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Ended } from "../support/run-process.ts";
import { until } from "../support/wait.ts";

interface Place {
  readonly cwd: string;
  readonly env: Record<string, string>;
}

type Runner = (program: string, args: readonly string[], place: Place) => Promise<Ended>;

/** Only tells an agent that hangs from one that works, in ms. */
const DEADLINE = 180_000;
const ESCAPE = "\x1b";
const CTRL_C = "\x03";
const ADDRESS = /http:\/\/\S+/;

/** Presses Ctrl-C, of which all processes of a terminal hear. @param sign a file that is there once the agent works. */
export function interrupted(sign: string): Runner {
  return async (program, args, place) => {
    const agent = started(program, args, place);
    agent.stdin?.end();
    await until(() => existsSync(sign), DEADLINE);
    process.kill(-(agent.pid as number), "SIGINT");
    return endOf(agent);
  };
}

/**
 * Presses Escape on a terminal, and leaves once the agent has written down that it stopped. Needs `script` of util-linux.
 *
 * @param noted what it writes then, below a folder.
 */
export function escaped(
  sign: string,
  noted: { readonly below: string; readonly words: string },
): Runner {
  return async (program, args, place) => {
    const line = [program, ...args].map((word) => `'${word}'`).join(" ");
    const agent = started("script", ["-qefc", line, "/dev/null"], {
      ...place,
      env: { TERM: "xterm", ...place.env },
    });
    await until(() => existsSync(sign), DEADLINE);
    agent.stdin?.write(ESCAPE);
    await until(() => holds(noted.below, noted.words), DEADLINE);
    // It may end between a look at it and the next key.
    agent.stdin?.on("error", () => undefined);
    await pressUntilEnd(agent, CTRL_C);
    return endOf(agent);
  };
}

/** Presses a key again only after the screen has changed: thousands of keys at once keep an agent from ending. */
async function pressUntilEnd(agent: ChildProcess, key: string): Promise<void> {
  let shown = 0;
  agent.stdout?.on("data", (chunk: Buffer) => {
    shown += chunk.length;
  });
  while (!hasEnded(agent)) {
    const before = shown;
    agent.stdin?.write(key);
    await until(() => hasEnded(agent) || shown > before);
  }
}

/** Asks the server of opencode for a turn, and to abort it, as its screen does. @param handed where the plugin keeps what it gets. */
export function aborted(sign: string, handed: string, request: object): Runner {
  return async (program, args, place) => {
    const server = started(program, args, place);
    let said = "";
    server.stdout?.on("data", (chunk) => {
      said += chunk;
    });
    await until(() => ADDRESS.test(said), DEADLINE);
    const ask = (path: string, body: object) =>
      fetch(`${ADDRESS.exec(said)?.[0]}/session${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const { id } = (await (await ask("", {})).json()) as { id: string };
    const turn = ask(`/${id}/message`, request).catch(() => undefined);
    await until(() => existsSync(sign), DEADLINE);
    await ask(`/${id}/abort`, {});
    await turn;
    await until(() => existsSync(handed) && readdirSync(handed).length > 0, DEADLINE);
    server.kill("SIGTERM");
    return endOf(server);
  };
}

/** In a group of its own, as a terminal starts it. */
function started(program: string, args: readonly string[], { cwd, env }: Place): ChildProcess {
  return spawn(program, args, { cwd, env, detached: true });
}

async function endOf(agent: ChildProcess): Promise<Ended> {
  await until(() => hasEnded(agent), DEADLINE);
  return { exit: 0, stdout: "", stderr: "" };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function holds(folder: string, words: string): boolean {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".jsonl"),
  );
  return paths.some((path) => readFileSync(join(folder, path), "utf8").includes(words));
}
