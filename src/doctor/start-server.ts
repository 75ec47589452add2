/**
 * Starts a server as a client would and lets it answer. Three requests, written by hand: the SDK's client would weigh more than
 * all of doctor.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export interface Start {
  readonly command: string;
  readonly args: readonly string[];
}

export type Started =
  | {
      readonly tools: readonly string[];
      readonly ms: number;
      /** Path of the memory that it serves; undefined when it does not say. */
      readonly memory: string | undefined;
    }
  | { readonly failure: string };

/** How long it may take to answer, in ms; clients give up after 10 to 60 s. */
const PATIENCE = 10_000;
const PROTOCOL = "2025-06-18";
/** The smallest question whose answer ends, as all do, with the path of the memory. */
const ASKED = { name: "search_memory", arguments: { ids: ["000000"] } };
/** How much of what it says on standard error is shown, in characters. */
const SHOWN = 300;

export async function startServer(
  { command, args }: Start,
  place: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
  patience = PATIENCE,
): Promise<Started> {
  const began = performance.now();
  const child = spawn(command, [...args], { ...place, stdio: "pipe", windowsHide: true });
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaints = (complaints + text).slice(-4 * SHOWN);
  });
  child.stdin.on("error", () => undefined);

  let tools: readonly string[] = [];
  let ms = 0;
  let resolve: (started: Started) => void = () => undefined;
  const outcome = new Promise<Started>((prune) => {
    resolve = prune;
  });
  const timer = setTimeout(() => resolve({ failure: `no answer within ${patience / 1000} s` }), patience);
  child.once("error", (error) => resolve({ failure: error.message }));
  child.once("close", (code) => resolve({ failure: `it ended with status ${code}${said(complaints)}` }));
  createInterface({ input: child.stdout }).on("line", (line) => {
    const answer = readAnswer(line);
    if (!answer) resolve({ failure: "it prints to standard output, which belongs to the protocol" });
    else if (answer.error) resolve({ failure: `it refused: ${answer.error.message}` });
    else if (answer.id === 1) {
      send({ method: "notifications/initialized" });
      send({ id: 2, method: "tools/list" });
    } else if (answer.id === 2) {
      tools = (answer.result?.tools ?? []).map(({ name }) => name);
      ms = Math.round(performance.now() - began);
      if (tools.includes(ASKED.name)) send({ id: 3, method: "tools/call", params: ASKED });
      else resolve({ tools, ms, memory: undefined });
    } else if (answer.id === 3) {
      resolve({ tools, ms, memory: memoryNamedIn(answer.result?.content?.at(-1)?.text ?? "") });
    }
  });
  const clientInfo = { name: "sentinel-memory-doctor", version: "1" };
  send({ id: 1, method: "initialize", params: { protocolVersion: PROTOCOL, capabilities: {}, clientInfo } });

  try {
    return await outcome;
  } finally {
    clearTimeout(timer);
    child.stdin.end();
    child.kill("SIGKILL");
  }
}

interface Answer {
  readonly id?: number;
  readonly error?: { readonly message: string };
  readonly result?: {
    readonly tools?: readonly { readonly name: string }[];
    readonly content?: readonly { readonly text?: string }[];
  };
}

function memoryNamedIn(answer: string): string | undefined {
  return /\n\[[^|\n]*\|[^|\n]*\| ([^\n]+)\]$/.exec(answer)?.[1];
}

function readAnswer(line: string): Answer | undefined {
  try {
    const answer = JSON.parse(line);
    return answer?.jsonrpc === "2.0" ? answer : undefined;
  } catch {
    return undefined;
  }
}

/** The line of an error, when there is one, says more than the last lines of its stack. */
function said(complaints: string): string {
  const text = /^\w*Error\b.*$/m.exec(complaints)?.[0] ?? complaints.trim().slice(-SHOWN);
  return text === "" ? "" : `: ${text.slice(0, SHOWN)}`;
}
