/** The server of each client: whether it starts, serves this memory, and has the entry that init writes. */
import {
  type Client,
  commandLine,
  environmentOf,
  isOurEntry,
  SERVER_NAME,
} from "../../ground/clients/client.ts";
import { CLIENTS } from "../../ground/clients/clients.ts";
import { DEVELOPMENT_DEPENDENCY, vendoredBy } from "../../ground/clients/launch.ts";
import { type Problem, problemOf } from "../../ground/core/errors.ts";
import { plural } from "../../ground/core/text.ts";
import { isTracked } from "../../ground/project/git.ts";
import { quoted } from "../../ground/terminal/shell.ts";
import { MANIFEST } from "../setup/init-manifest.ts";
import type { ProjectFiles } from "../setup/project-files.ts";
import { examineCopy } from "../setup/server-copy.ts";
import { configOf, isAsWritten, launchesInUse, presentEntry } from "../setup/server-entry.ts";
import { broken, type CheckContext, type Diagnosis, ok, warning } from "./diagnosis.ts";
import { clientsInUse } from "./init-files.ts";
import { type Start, startServer } from "./start-server.ts";

/** An agent that runs doctor names its own workspace in these, which the servers of other clients would not get. */
const WORKSPACE_VARIABLES = CLIENTS.flatMap(({ workspaceVariable }) => workspaceVariable ?? []);

/** The tools that a server lists only where sessions are recorded. */
const TOOLS_OF_THE_RECORD: readonly string[] = [
  "build_acb",
  "record_event",
  "query_decisions",
  "get_artifact",
];

/** The variables of an entry that only we read. */
const OWN = /^SENTINEL_/;

type Environment = CheckContext["env"];

/** Starts the server of each client that is in use here or set up, as that client would. */
export async function checkServers(context: CheckContext): Promise<Diagnosis[]> {
  const clients = clientsInUse(context.files);
  if (clients.length === 0) return [warning("No agent is set up here.", "sentinel-memory init")];
  return (await Promise.all(clients.map((client) => checkServer(client, context)))).flat();
}

async function checkServer(
  client: Client,
  { project, files, env, build }: CheckContext,
): Promise<Diagnosis[]> {
  const { id, name } = client;
  const path = configOf(client, files);
  const init = `sentinel-memory init --agents ${id}`;
  let entry: unknown;
  try {
    entry = presentEntry(client, files);
  } catch (error) {
    return [
      broken(`${name}: ${path} cannot be read, so its servers do not start.`, problemOf(error).fix),
    ];
  }
  if (entry === undefined) return [warning(`${name}: ${path} has no entry ${SERVER_NAME}.`, init)];

  const reason = await whyNotStarted(entry, client, files);
  if (reason) return [warning(`${name}: the entry in ${path} ${reason.what}`, reason.fix)];
  const copy = vendoredBy(commandLine(entry)) && examineCopy(files, build);
  if (copy?.status === "broken")
    return [
      warning(`${name}: the server of ${path} was not started, because of that copy.`, copy.fix),
    ];
  const start = startOf(entry, files.folder, env);
  if (!start) return [broken(`${name}: the entry in ${path} names no command.`, `${init} --force`)];
  const started = await startServer(start, { cwd: files.folder, env: start.env });
  if ("failure" in started) {
    const first = firstFix(entry, client) ?? `See that ${start.command} is there`;
    const fix = `${first}; then start it by hand: ${[start.command, ...start.args].map(quoted).join(" ")}`;
    return [broken(`${name}: the server of ${path} does not start: ${started.failure}`, fix)];
  }
  if (!started.tools.includes("search_memory"))
    return [broken(`${name}: ${path} starts another server.`, `${init} --force`)];
  if (started.memory !== undefined && started.memory !== project.context.memoryFile) {
    return [
      warning(
        `${name}: the server of ${path} serves another memory: ${started.memory}`,
        "Remove SENTINEL_PROJECT from that entry's env, or from your environment.",
      ),
    ];
  }
  const lists = `lists ${plural(started.tools.length, "tool")} in ${started.tookMs} ms: ${toolsInWords(started.tools)}`;
  return [ok(`${name}: the server of ${path} ${lists}`)];
}

/** A client asks before it runs what somebody pushed. Doctor starts only what we wrote, and what init was told on this machine. */
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
  const others = variables.filter((variable) => !OWN.test(variable));
  if (others.length > 0) return { what: `sets ${others.join(", ")}, so it was not started.`, fix };
  const isOfInit = vendoredBy(words) ?? isOurEntry(entry, client, DEVELOPMENT_DEPENDENCY);
  if (isOfInit) return undefined;
  // What init notes is of this machine, unless somebody has pushed it.
  if (isAsWritten(client, files) && !(await isTracked(MANIFEST, files.folder))) return undefined;
  return {
    what: "starts a program that was not chosen on this machine, so it was not started.",
    fix,
  };
}

/** Which tools a server lists, and which of all it lists only while recording is on. */
function toolsInWords(tools: readonly string[]): string {
  const always = tools.filter((tool) => !TOOLS_OF_THE_RECORD.includes(tool)).join(", ");
  const isOn = TOOLS_OF_THE_RECORD.some((tool) => tools.includes(tool));
  return `${always}; ${isOn ? "and, as recording is on," : "with recording on also"} ${TOOLS_OF_THE_RECORD.join(", ")}`;
}

/** What most likely helps where an entry of init does not start; undefined for another entry. */
function firstFix(entry: unknown, client: Client): string | undefined {
  if (isOurEntry(entry, client, DEVELOPMENT_DEPENDENCY))
    return "npm install, or sentinel-memory init --vendor";
  return vendoredBy(commandLine(entry)) ? "sentinel-memory init" : undefined;
}

/** An entry's command and environment, with the workspace and the variables filled in as the client does. */
function startOf(
  entry: unknown,
  folder: string,
  env: Environment,
): (Start & { env: Environment }) | undefined {
  const filledIn = (text: string) =>
    text.replace(/\$\{(?:env:)?(\w+)(?::-([^}]*))?\}/g, (written, name, otherwise) =>
      name === "workspaceFolder" ? folder : (env[name] ?? otherwise ?? written),
    );
  const [first, ...rest] = commandLine(entry).map(filledIn);
  if (first === undefined) return undefined;
  const own = environmentOf(entry).map(([name, value]) => [name, filledIn(value)]);
  const others = Object.entries(env).filter(([name]) => !WORKSPACE_VARIABLES.includes(name));
  return { command: first, args: rest, env: Object.fromEntries([...others, ...own]) };
}
