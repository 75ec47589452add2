/**
 * Starts a server as a client would and lets it answer. The three requests are written by hand: the SDK's client would be
 * larger than all of doctor.
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
      /** Path of the memory that it serves; undefined when it does not report one. */
      readonly memory: string | undefined;
    }
  | { readonly failure: string };

/** How long it may take to answer; clients give up after 10 to 60 s. */
const LONGEST_START_MS = 10_000;
const PROTOCOL = "2025-06-18";
/** The key of a result's `_meta` under which our server describes the memory that it serves. */
const MEMORY_META = "sentinel-memory/memory";
/** The cheapest call whose result carries that. */
const ASKED = { name: "search_memory", arguments: { ids: ["000000"] } };
/** How much of its standard error is shown, in characters. */
const SHOWN_CHARACTERS = 300;

export async function startServer(
  { command, args }: Start,
  place: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<Started> {
  const began = performance.now();
  const child = spawn(command, [...args], { ...place, stdio: "pipe", windowsHide: true });
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-4 * SHOWN_CHARACTERS);
  });
  child.stdin.on("error", () => undefined);

  let tools: readonly string[] = [];
  let ms = 0;
  let resolve: (started: Started) => void = () => undefined;
  const outcome = new Promise<Started>((fulfil) => {
    resolve = fulfil;
  });
  const timer = setTimeout(
    () => resolve({ failure: `no answer within ${LONGEST_START_MS / 1000} s` }),
    LONGEST_START_MS,
  );
  child.once("error", (error) => resolve({ failure: error.message }));
  child.once("close", (code) => resolve({ failure: `it ended with status ${code}${endOf(stderr)}` }));
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
      resolve({ tools, ms, memory: locationIn(answer.result?._meta) });
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
    readonly _meta?: Readonly<Record<string, { readonly location?: unknown } | undefined>>;
  };
}

function locationIn(meta: NonNullable<Answer["result"]>["_meta"]): string | undefined {
  const location = meta?.[MEMORY_META]?.location;
  return typeof location === "string" ? location : undefined;
}

function readAnswer(line: string): Answer | undefined {
  try {
    const answer = JSON.parse(line);
    return answer?.jsonrpc === "2.0" ? answer : undefined;
  } catch {
    return undefined;
  }
}

/** The end of what a server printed, behind a colon; the line of an error says more than the last lines of its stack. */
function endOf(stderr: string): string {
  const text = /^\w*Error\b.*$/m.exec(stderr)?.[0] ?? stderr.trim().slice(-SHOWN_CHARACTERS);
  return text === "" ? "" : `: ${text.slice(0, SHOWN_CHARACTERS)}`;
}
