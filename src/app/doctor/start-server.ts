/** Starts a server as a client would. Its requests are written by hand: the SDK's client is larger than all of doctor. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { tryOr } from "../../ground/core/errors.ts";
import { MEMORY_META } from "../../lessons/answers/answer.ts";

export interface Start {
  readonly command: string;
  readonly args: readonly string[];
}

type Started = Awaited<ReturnType<typeof converse>> | { readonly failure: string };

/** How long it may take to answer; clients give up after 10 to 60 s. */
const LONGEST_START_MS = 10_000;
const PROTOCOL = "2025-06-18";
/** The cheapest call whose result describes the memory that the server serves. */
const ASKED = { name: "search_memory", arguments: { ids: ["000000"] } };
/** How much of its standard error is shown, in characters. */
const SHOWN_CHARACTERS = 300;

/** Starts a server, asks it for its tools and its memory, and ends it. */
export async function startServer(
  { command, args }: Start,
  place: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<Started> {
  const child = spawn(command, [...args], { ...place, stdio: "pipe", windowsHide: true });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve) => {
      const failed = (failure: string) => resolve({ failure });
      timer = setTimeout(
        () => failed(`no answer within ${LONGEST_START_MS / 1000} s`),
        LONGEST_START_MS,
      );
      const stderr = endOfErrors(child);
      child.once("error", (error) => failed(error.message));
      child.once("close", (code) => failed(`it ended with status ${code}${stderr()}`));
      converse(child).then(resolve, (error) => failed(error.message));
    });
  } finally {
    clearTimeout(timer);
    child.stdin.end();
    child.kill("SIGKILL");
  }
}

/** Sends the three requests, each after the answer to the one before; never ends where the server does before it answers. */
async function converse(child: ChildProcessWithoutNullStreams) {
  const began = performance.now();
  child.stdin.on("error", () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = (message: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  let id = 0;
  const ask = async (method: string, params?: object): Promise<NonNullable<Answer["result"]>> => {
    send({ id: ++id, method, params });
    for (;;) {
      const { value: line, done } = await lines.next();
      if (done) return new Promise(() => undefined);
      const answer: Answer | undefined = tryOr(() => JSON.parse(line), undefined);
      if (answer?.jsonrpc !== "2.0")
        throw new Error("it prints to standard output, which belongs to the protocol");
      if (answer.error) throw new Error(`it refused: ${answer.error.message}`);
      if (answer.id === id) return answer.result ?? {};
    }
  };
  const clientInfo = { name: "sentinel-memory-doctor", version: "1" };
  await ask("initialize", { protocolVersion: PROTOCOL, capabilities: {}, clientInfo });
  send({ method: "notifications/initialized" });
  const tools = ((await ask("tools/list")).tools ?? []).map(({ name }) => name);
  const tookMs = Math.round(performance.now() - began);
  const location =
    tools.includes(ASKED.name) && (await ask("tools/call", ASKED))._meta?.[MEMORY_META]?.location;
  /** Path of the memory that it serves; undefined when it does not report one. */
  const memory = typeof location === "string" ? location : undefined;
  return { tools, tookMs, memory };
}

interface Answer {
  readonly jsonrpc?: string;
  readonly id?: number;
  readonly error?: { readonly message: string };
  readonly result?: {
    readonly tools?: readonly { readonly name: string }[];
    readonly _meta?: Readonly<Record<string, { readonly location?: unknown } | undefined>>;
  };
}

/** Collects standard error. @returns gives its end behind a colon: the line of an error says more than the stack below it. */
function endOfErrors(child: ChildProcessWithoutNullStreams): () => string {
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-4 * SHOWN_CHARACTERS);
  });
  return () => {
    const text = /^\w*Error\b.*$/m.exec(stderr)?.[0] ?? stderr.trim().slice(-SHOWN_CHARACTERS);
    return text === "" ? "" : `: ${text.slice(0, SHOWN_CHARACTERS)}`;
  };
}
