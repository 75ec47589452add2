/** A conversation below the protocol library: lines as they are, and how the process takes its end. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Ended } from "./run-process.ts";
import { holdsFor } from "./wait.ts";

export interface Conversation {
  readonly bin: string;
  readonly args: readonly string[];
  readonly env: Record<string, string>;
  readonly cwd: string;
  readonly lines: readonly (string | Record<string, unknown>)[];
  readonly waitFor: readonly number[];
  readonly ending: "end input" | "SIGTERM" | "SIGINT";
  /** Seconds the process has to end by itself. */
  readonly within: number;
}

export interface Exchanged extends Ended {
  /** Answers by their ids, as text. */
  readonly answers: ReadonlyMap<number, string>;
  /** Lines on standard output that are no protocol message. */
  readonly noise: readonly string[];
}

const GREETING_ID = 0;
/** Only tells a server that hangs from one that works, in ms. */
const DEADLINE = 120_000;

export async function exchange({
  bin,
  args,
  env,
  cwd,
  lines,
  waitFor,
  ending,
  within,
}: Conversation): Promise<Exchanged> {
  const server = spawn(process.execPath, [bin, ...args], {
    env,
    cwd,
    timeout: DEADLINE,
    killSignal: "SIGKILL",
  });
  const exited = new Promise<number | string>((done) => {
    server.once("close", (code, signal) => done(code ?? signal ?? "unknown"));
  });
  const answers = new Map<number, string>();
  const [noise, stdout]: [string[], string[]] = [[], []];
  let stderr = "";
  server.stderr.on("data", (part) => {
    stderr += part;
  });
  const answered = answersTo(server, (line) => {
    stdout.push(line);
    const message = readMessage(line);
    if (!message) {
      noise.push(line);
    } else if (message.id !== undefined) {
      answers.set(message.id, message.text);
    }
  });

  const send = (messages: Conversation["lines"]) => server.stdin.write(toInput(messages));
  // Input that a server no longer reads is no failure of the one who wrote it.
  server.stdin.on("error", () => undefined);
  send(greeting("scenario"));
  await Promise.race([answered(() => answers.has(GREETING_ID)), exited]);
  send(lines);
  await Promise.race([answered(() => waitFor.every((id) => answers.has(id))), exited]);

  if (ending === "end input") {
    server.stdin.end();
  } else {
    server.kill(ending);
  }
  let hasExited = false;
  exited.then(() => {
    hasExited = true;
  });
  const isStuck = await holdsFor(within * 1000, () => !hasExited);
  const exit = isStuck ? `still running after ${within} s` : await exited;
  server.kill("SIGKILL");
  return { exit, stdout: stdout.join("\n"), stderr, answers, noise };
}

/** What a client says first; the answer has the id 0. */
export function greeting(client: string): Conversation["lines"] {
  const clientInfo = { name: client, version: "1.0.0" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  return [
    { id: GREETING_ID, method: "initialize", params },
    { method: "notifications/initialized" },
  ];
}

/** Messages as a server reads them; a text is sent as it is. */
export function toInput(lines: Conversation["lines"]): string {
  return lines
    .map(
      (line) =>
        `${typeof line === "string" ? line : JSON.stringify({ jsonrpc: "2.0", ...line })}\n`,
    )
    .join("");
}

/** Hands on each line of output; returns a way to wait until the lines so far are enough. */
function answersTo(server: ReturnType<typeof spawn>, onLine: (line: string) => void) {
  const lines = createInterface({ input: server.stdout as NodeJS.ReadableStream });
  lines.on("line", onLine);
  return (enough: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!enough()) {
          return;
        }
        lines.off("line", look);
        resolve();
      };
      lines.on("line", look);
      look();
    });
}

/** A line of output as a message of the protocol: the text an agent would read, or the bare answer as JSON. */
function readMessage(line: string): { id: number | undefined; text: string } | undefined {
  try {
    const message = JSON.parse(line);
    if (message.jsonrpc !== "2.0") {
      return undefined;
    }
    return {
      id: message.id,
      text: message.result?.content?.[0]?.text ?? JSON.stringify(message.result ?? message.error),
    };
  } catch {
    return undefined;
  }
}
