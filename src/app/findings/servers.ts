/** Checks each client's server: whether it starts, serves this memory, and has the entry that init writes. */
import { Client as McpClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  type Client,
  commandLine,
  environmentOf,
  isOurEntry,
  SERVER_NAME,
} from "../../ground/clients/client.ts";
import { CLIENTS } from "../../ground/clients/clients.ts";
import { DEVELOPMENT_DEPENDENCY, vendoredBy } from "../../ground/clients/launch.ts";
import { problemOf, tryOr } from "../../ground/core/errors.ts";
import { plural } from "../../ground/core/text.ts";
import { quoted } from "../../ground/files/paths.ts";
import { isTracked } from "../../ground/project/git.ts";
import { MEMORY_META } from "../../lessons/answers/answer.ts";
import {
  COMMAND_NOTE,
  configOf,
  isChosenHere,
  launchesInUse,
  presentEntry,
} from "../setup/project-edits.ts";
import type { ProjectFiles } from "../setup/project-files.ts";
import { examineCopy } from "../setup/server-copy.ts";
import { broken, type Context, type Finding, ok, warning } from "./finding.ts";
import { clientsInUse } from "./set-up.ts";

/** An agent that runs doctor sets these variables to its workspace. Servers of other clients don't get them. */
const WORKSPACE_VARIABLES = CLIENTS.map(({ workspaceVariable }) => workspaceVariable);

/** Environment variables that only our server reads. */
const OWN_VARIABLE = /^SENTINEL_/;

/** The limit of each request. Clients give up on a start after 10 to 60 s. */
const PATIENCE = { timeout: 10_000 };
/** The cheapest call that reports which memory the server uses. */
const PROBE = { name: "search_memory", arguments: { ids: ["000000"] } };
const PRINTS = "it prints to standard output, which belongs to the protocol";
/** The most characters of standard error to show. */
const SHOWN_CHARACTERS = 300;

interface Start {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
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
  if (clients.length === 0) {
    return [warning("no_agent", "No agent is set up here.", "sentinel-memory init")];
  }
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
  if (entry === undefined) {
    return warning("server_entry_missing", `${name}: ${path} has no entry ${SERVER_NAME}.`, init);
  }
  const notStarted = (why: string, fix?: string): Finding =>
    warning("server_not_started", `${name}: the server of ${path} was not started: ${why}`, fix);
  const words = commandLine(entry);
  const copy = vendoredBy(words) && examineCopy(files, build);
  if (copy?.status === "broken") {
    return notStarted(copy.what, copy.fix);
  }
  const reason = await whyNotStarted(entry, client, files);
  if (reason === undefined) {
    return checkStart(entry, client, context);
  }
  const read = `Read its entry. If your team did not choose it: ${init} --force.`;
  const byHand = `If you trust it, start it by hand: ${words.map(quoted).join(" ")}`;
  return notStarted(reason, words.length === 0 ? read : `${read} ${byHand}`);
}

/** Starts a client's server, and compares its answers with this project. */
async function checkStart(
  entry: unknown,
  client: Client,
  { project, files, env }: Context,
): Promise<Finding> {
  const { id, name } = client;
  const path = configOf(client, files);
  const start = startOf(entry, files.folder, env);
  const started = await startServer(start, files.folder);
  if (typeof started === "string") {
    const typed = [start.command, ...start.args].map(quoted).join(" ");
    const what = `${name}: the server of ${path} does not start: ${started}`;
    const fix = `${firstFix(entry, client)}; then start it by hand: ${typed}`;
    return broken("server_fails", what, fix);
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
  const listed = `lists ${plural(tools.length, "tool")} in ${tookMs} ms: ${tools.join(", ")}`;
  return ok("server", `${name}: the server of ${path} ${listed}`);
}

/** Returns why a server isn't started. Clients ask before they run a program from a teammate, so doctor starts only our program and the one given to init on this machine. */
async function whyNotStarted(
  entry: unknown,
  client: Client,
  files: ProjectFiles,
): Promise<string | undefined> {
  const words = commandLine(entry);
  if (words.length === 0) {
    return "its entry names no command";
  }
  if (!isOurEntry(entry, client, launchesInUse(files))) {
    return `its entry is not one that init writes without --command: ${words.join(" ")}`;
  }
  const variables = environmentOf(entry).map(([variable]) => variable);
  const others = variables.filter((variable) => !OWN_VARIABLE.test(variable));
  if (others.length > 0) {
    return `its entry sets ${others.join(", ")}`;
  }
  const isOfInit = vendoredBy(words) ?? isOurEntry(entry, client, DEVELOPMENT_DEPENDENCY);
  if (isOfInit) {
    return undefined;
  }
  // The stored command line is from this machine, unless git tracks its file.
  const isNoted = isChosenHere(entry, client, files);
  if (isNoted && !(await isTracked(COMMAND_NOTE, files.folder))) {
    return undefined;
  }
  return "its program was not chosen on this machine";
}

/** Returns the most likely fix if an entry doesn't start. */
function firstFix(entry: unknown, client: Client): string {
  if (isOurEntry(entry, client, DEVELOPMENT_DEPENDENCY)) {
    return "npm install, or sentinel-memory init --vendor";
  }
  const words = commandLine(entry);
  return vendoredBy(words) ? "sentinel-memory init" : `See that ${words[0]} is there`;
}

/** Returns an entry's command and environment, with the workspace and the variables filled in like the client does. */
function startOf(entry: unknown, folder: string, env: Context["env"]): Start {
  const fillIn = (text: string) =>
    text.replace(/\$\{(?:env:)?(\w+)(?::-([^}]*))?\}/g, (written, name, otherwise) =>
      name === "workspaceFolder" ? folder : (env[name] ?? otherwise ?? written),
    );
  const [command = "", ...args] = commandLine(entry).map(fillIn);
  const variables: Record<string, string> = {};
  for (const [name, value = ""] of Object.entries(env)) {
    if (!WORKSPACE_VARIABLES.includes(name)) {
      variables[name] = value;
    }
  }
  for (const [name, value] of environmentOf(entry)) {
    variables[name] = fillIn(value);
  }
  return { command, args, env: variables };
}

/** Starts a server, asks for its tools and its memory, and stops it. @returns the answers, or the reason for a failure as a string. */
async function startServer({ command, args, env }: Start, cwd: string): Promise<Server | string> {
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env,
    cwd,
    stderr: "pipe",
  });
  const client = new McpClient({ name: "sentinel-memory-doctor", version: "1" });
  // If `initialize` fails, the SDK forgets the process and would end it only after doctor has exited.
  let pid: number | null = null;
  transport.onclose = () => {
    pid = null;
  };
  let hasPrinted = false;
  transport.onerror = (error) => {
    // Errors of the system have a code. The others are about lines that are no messages.
    if (!("code" in error)) {
      hasPrinted = true;
    }
  };
  let errors = "";
  transport.stderr?.on("data", (text) => {
    errors = (errors + text).slice(-4 * SHOWN_CHARACTERS);
  });
  const began = performance.now();
  try {
    const connected = client.connect(transport, PATIENCE);
    pid = transport.pid;
    await connected;
    const server = await ask(client, began);
    return hasPrinted ? PRINTS : server;
  } catch (error) {
    const message = hasPrinted ? PRINTS : (error as Error).message;
    const reason = /^\w*Error\b.*$/m.exec(errors)?.[0] ?? errors.trim();
    return `${message} ${reason.slice(-SHOWN_CHARACTERS)}`.trim();
  } finally {
    await client.close();
    endProcess(pid);
  }
}

/** @param began when the server was started, as performance.now() gave it. */
async function ask(client: McpClient, began: number): Promise<Server> {
  const listed = await client.listTools({}, PATIENCE);
  const tookMs = Math.round(performance.now() - began);
  const tools = listed.tools.map((tool) => tool.name);
  if (!tools.includes(PROBE.name)) {
    return { tools, tookMs, memory: undefined };
  }
  const { _meta } = await client.callTool(PROBE, undefined, PATIENCE);
  const { location } = Object(_meta?.[MEMORY_META]);
  return { tools, tookMs, memory: typeof location === "string" ? location : undefined };
}

/** @param pid null if the process has ended. */
function endProcess(pid: number | null): void {
  if (pid !== null) {
    tryOr(() => process.kill(pid, "SIGKILL"), undefined);
  }
}
