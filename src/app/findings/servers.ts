/** Checks each client's server: whether it starts, serves this memory, and has the entry that init writes. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import {
  type Client,
  commandLine,
  environmentOf,
  isOurEntry,
  SERVER_NAME,
} from "../../ground/clients/client.ts";
import { CLIENTS } from "../../ground/clients/clients.ts";
import { DEVELOPMENT_DEPENDENCY, vendoredBy } from "../../ground/clients/launch.ts";
import { type Problem, problemOf, tryOr } from "../../ground/core/errors.ts";
import { plural } from "../../ground/core/text.ts";
import { isTracked } from "../../ground/project/git.ts";
import { quoted } from "../../ground/terminal/shell.ts";
import { MEMORY_META } from "../../lessons/answers/answer.ts";
import type { ProjectFiles } from "../setup/project-files.ts";
import { examineCopy } from "../setup/server-copy.ts";
import {
  COMMAND_NOTE,
  configOf,
  isChosenHere,
  launchesInUse,
  presentEntry,
} from "../setup/server-entry.ts";
import { broken, type Context, type Finding, ok, warning } from "./finding.ts";
import { clientsInUse } from "./init-files.ts";

/** An agent that runs doctor sets these variables to its workspace. Servers of other clients don't get them. */
const WORKSPACE_VARIABLES = CLIENTS.flatMap(({ workspaceVariable }) => workspaceVariable ?? []);

/** The tools that a server lists only while sessions are recorded. */
const SESSION_TOOLS: readonly string[] = [
  "build_acb",
  "record_event",
  "query_decisions",
  "get_artifact",
];

/** Environment variables that only our server reads. */
const OWN_VARIABLE = /^SENTINEL_/;

/** Clients give up on a start after 10 to 60 s. */
const LONGEST_START_MS = 10_000;
const PROTOCOL = "2025-06-18";
/** The cheapest call that reports which memory the server uses. */
const PROBE = { name: "search_memory", arguments: { ids: ["000000"] } };
/** The most characters of standard error to show. */
const SHOWN_CHARACTERS = 300;

interface Start {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Context["env"];
}

/** The answers of a server. */
interface Server {
  readonly tools: readonly string[];
  readonly tookMs: number;
  /** The path of the server's memory. Undefined if the server doesn't report it. */
  readonly memory: string | undefined;
}

/** Starts the server of each client that is in use or set up here, in the same way as the client. */
export async function checkServers(context: Context): Promise<Finding[]> {
  const clients = clientsInUse(context.files);
  if (clients.length === 0)
    return [warning("no_agent", "No agent is set up here.", "sentinel-memory init")];
  return Promise.all(clients.map((client) => checkServer(client, context)));
}

async function checkServer(client: Client, context: Context): Promise<Finding> {
  const { files, build } = context;
  const { id, name } = client;
  const path = configOf(client, files);
  const init = `sentinel-memory init --agents ${id}`;
  let entry: unknown;
  try {
    entry = presentEntry(client, files);
  } catch (error) {
    const what = `${name}: ${path} cannot be read, so its servers do not start.`;
    return broken("server_config_unreadable", what, problemOf(error).fix);
  }
  if (entry === undefined)
    return warning("server_entry_missing", `${name}: ${path} has no entry ${SERVER_NAME}.`, init);
  const reason = await whyNotStarted(entry, client, files);
  if (reason)
    return warning(
      "server_not_started",
      `${name}: the entry in ${path} ${reason.what}`,
      reason.fix,
    );
  const copy = vendoredBy(commandLine(entry)) && examineCopy(files, build);
  if (copy?.status === "broken") {
    const what = `${name}: the server of ${path} was not started, because of that copy.`;
    return warning("server_not_started", what, copy.fix);
  }
  const start = startOf(entry, files.folder, context.env);
  if (start) return checkStart(start, entry, client, context);
  const what = `${name}: the entry in ${path} names no command.`;
  return broken("server_entry_invalid", what, `${init} --force`);
}

/** Starts a client's server, and compares its answers with this project. */
async function checkStart(
  start: Start,
  entry: unknown,
  client: Client,
  { project, files }: Context,
): Promise<Finding> {
  const { id, name } = client;
  const path = configOf(client, files);
  const started = await startServer(start, files.folder);
  if (typeof started === "string") {
    const first = firstFix(entry, client) ?? `See that ${start.command} is there`;
    const typed = [start.command, ...start.args].map(quoted).join(" ");
    const what = `${name}: the server of ${path} does not start: ${started}`;
    return broken("server_fails", what, `${first}; then start it by hand: ${typed}`);
  }
  const { tools, tookMs, memory } = started;
  if (!tools.includes(PROBE.name)) {
    const what = `${name}: ${path} starts another server.`;
    return broken("server_is_another", what, `sentinel-memory init --agents ${id} --force`);
  }
  if (memory !== undefined && memory !== project.context.memoryFile) {
    const what = `${name}: the server of ${path} serves another memory: ${memory}`;
    const fix = "Remove SENTINEL_PROJECT from that entry's env, or from your environment.";
    return warning("server_of_another_memory", what, fix);
  }
  const listed = `lists ${plural(tools.length, "tool")} in ${tookMs} ms: ${toolsInWords(tools)}`;
  return ok("server", `${name}: the server of ${path} ${listed}`);
}

/** Returns why a server isn't started. Clients ask before they run a program from a teammate, so doctor starts only our program and the one given to init on this machine. */
async function whyNotStarted(
  entry: unknown,
  client: Client,
  files: ProjectFiles,
): Promise<Problem | undefined> {
  const words = commandLine(entry);
  if (!isOurEntry(entry, client, launchesInUse(files)))
    return {
      what: `is not one that init writes without --command, and was not started: ${words.join(" ")}`,
      fix: `Read it. If your team did not choose it: sentinel-memory init --agents ${client.id} --force puts ours in its place.`,
    };
  const fix = `Read it. If you trust it, start it by hand: ${words.map(quoted).join(" ")}`;
  const variables = environmentOf(entry).map(([variable]) => variable);
  const others = variables.filter((variable) => !OWN_VARIABLE.test(variable));
  if (others.length > 0) return { what: `sets ${others.join(", ")}, so it was not started.`, fix };
  const isOfInit = vendoredBy(words) ?? isOurEntry(entry, client, DEVELOPMENT_DEPENDENCY);
  if (isOfInit) return undefined;
  // The stored command line is from this machine, unless git tracks its file.
  const isNoted = isChosenHere(entry, client, files);
  if (isNoted && !(await isTracked(COMMAND_NOTE, files.folder))) return undefined;
  return {
    what: "starts a program that was not chosen on this machine, so it was not started.",
    fix,
  };
}

/** Describes the tools that a server lists, and whether those for recorded sessions are among them. */
function toolsInWords(tools: readonly string[]): string {
  const always = tools.filter((tool) => !SESSION_TOOLS.includes(tool)).join(", ");
  const isOn = SESSION_TOOLS.some((tool) => tools.includes(tool));
  return `${always}; ${isOn ? "and, as recording is on," : "with recording on also"} ${SESSION_TOOLS.join(", ")}`;
}

/** Returns the most likely fix if an entry written by init doesn't start. Undefined for other entries. */
function firstFix(entry: unknown, client: Client): string | undefined {
  if (isOurEntry(entry, client, DEVELOPMENT_DEPENDENCY))
    return "npm install, or sentinel-memory init --vendor";
  return vendoredBy(commandLine(entry)) ? "sentinel-memory init" : undefined;
}

/** Returns an entry's command and environment, with the workspace and the variables filled in like the client does. */
function startOf(entry: unknown, folder: string, env: Context["env"]): Start | undefined {
  const fillIn = (text: string) =>
    text.replace(/\$\{(?:env:)?(\w+)(?::-([^}]*))?\}/g, (written, name, otherwise) =>
      name === "workspaceFolder" ? folder : (env[name] ?? otherwise ?? written),
    );
  const [command, ...args] = commandLine(entry).map(fillIn);
  if (command === undefined) return undefined;
  const own = environmentOf(entry).map(([name, value]) => [name, fillIn(value)]);
  const others = Object.entries(env).filter(([name]) => !WORKSPACE_VARIABLES.includes(name));
  return { command, args, env: Object.fromEntries([...others, ...own]) };
}

/** Starts a server, asks for its tools and its memory, and stops it. @returns the answers, or the reason for a failure as a string. */
async function startServer({ command, args, env }: Start, cwd: string): Promise<Server | string> {
  const child = spawn(command, [...args], { cwd, env, stdio: "pipe", windowsHide: true });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve) => {
      const tooLong = `no answer within ${LONGEST_START_MS / 1000} s`;
      timer = setTimeout(() => resolve(tooLong), LONGEST_START_MS);
      const stderr = endOfErrors(child);
      child.once("error", (error) => resolve(error.message));
      child.once("close", (code) => resolve(`it ended with status ${code}${stderr()}`));
      converse(child).then(resolve, (error) => resolve(error.message));
    });
  } finally {
    clearTimeout(timer);
    child.stdin.end();
    child.kill("SIGKILL");
  }
}

/**
 * Sends three requests, each after the previous answer. Never settles if the server exits before it answers. The requests are written by
 * hand, because the SDK's client is larger than all of doctor. @throws Error if the server breaks the protocol or refuses a request.
 */
async function converse(child: ChildProcessWithoutNullStreams): Promise<Server> {
  const began = performance.now();
  child.stdin.on("error", () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = (message: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  let id = 0;
  const ask = async (method: string, params?: object): Promise<NonNullable<Answer["result"]>> => {
    id += 1;
    send({ id, method, params });
    while (true) {
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
  const listed = await ask("tools/list");
  const tools = (listed.tools ?? []).map(({ name }) => name);
  const tookMs = Math.round(performance.now() - began);
  if (!tools.includes(PROBE.name)) return { tools, tookMs, memory: undefined };
  const { _meta } = await ask("tools/call", PROBE);
  const location = _meta?.[MEMORY_META]?.location;
  return { tools, tookMs, memory: typeof location === "string" ? location : undefined };
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

/** Collects standard error. @returns a function that returns the last error line, or else the end of the output, after a colon. */
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
