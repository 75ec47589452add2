/** Each client's entry, rules and hooks. */

import { CLIENTS, type Client, SERVER_NAME } from "../clients/clients.ts";
import { DEVELOPMENT_DEPENDENCY } from "../clients/launch.ts";
import { SentinelError } from "../core/errors.ts";
import { applyInit } from "../setup/apply.ts";
import type { Part } from "../setup/edits/edit.ts";
import { planInit } from "../setup/plan.ts";
import { configOf, distinct, gitParts, partsOf } from "../setup/project-edits.ts";
import type { ProjectFiles } from "../setup/project-files.ts";
import {
  commandLine,
  environmentOf,
  holdsEntry,
  isOurEntry,
  launchesInUse,
  presentEntry,
} from "../setup/server-entry.ts";
import { quoted } from "../setup/shell.ts";
import { type CheckContext, type Diagnosis, ok } from "./diagnosis.ts";
import { type Start, startServer } from "./start-server.ts";

/** Starts what each client would start; the clients that are in use here, or are set up. */
export async function checkServers(context: CheckContext): Promise<Diagnosis[]> {
  const clients = inUse(context.files);
  if (clients.length === 0)
    return [{ status: "warning", what: "No agent is set up here.", fix: "sentinel-memory init" }];
  return (await Promise.all(clients.map((client) => checkServer(client, context)))).flat();
}

/** Rules, hooks and git's two files, as init would write them today. */
export function checkParts({ project, files }: CheckContext): Diagnosis[] {
  const launches = launchesInUse(files);
  const parts = distinct([
    ...gitParts(project),
    ...inUse(files).flatMap((client) => partsOf(client, launches, true, files)),
  ]);
  return parts.filter(({ what }) => what !== "server").flatMap((part) => checkPart(part, files));
}

function inUse(files: ProjectFiles): Client[] {
  return CLIENTS.filter((client) => [...client.signs, ...client.config].some((path) => files.exists(path)));
}

async function checkServer(client: Client, { project, files, env }: CheckContext): Promise<Diagnosis[]> {
  const { id, name } = client;
  const path = configOf(client, files);
  const init = `sentinel-memory init --agents ${id}`;
  let entry: unknown;
  try {
    entry = presentEntry(client, files);
  } catch (error) {
    if (!(error instanceof SentinelError)) throw error;
    return [
      { status: "broken", what: `${name}: ${path} cannot be read, so its servers do not start.`, fix: error.fix },
    ];
  }
  if (entry === undefined)
    return [{ status: "warning", what: `${name}: ${path} has no entry ${SERVER_NAME}.`, fix: init }];

  const start = startOf(entry, files.folder, env);
  if (!start)
    return [{ status: "broken", what: `${name}: the entry in ${path} names no command.`, fix: `${init} --force` }];
  const started = await startServer(start, { cwd: files.folder, env: start.env });
  const others = checkEntry(entry, client, files, init);
  if ("failure" in started) {
    const isDependency = isOurEntry(entry, client, DEVELOPMENT_DEPENDENCY);
    const first = isDependency ? "npm install" : `See that ${start.command} is there`;
    const fix = `${first}; then start it by hand: ${[start.command, ...start.args].map(quoted).join(" ")}`;
    return [
      { status: "broken", what: `${name}: the server of ${path} does not start: ${started.failure}`, fix },
      ...others,
    ];
  }
  if (!started.tools.includes("search_memory"))
    return [{ status: "broken", what: `${name}: ${path} starts another server.`, fix: `${init} --force` }, ...others];
  if (started.memory !== undefined && started.memory !== project.context.memoryFile) {
    const fix = others[0]?.fix ?? "Take SENTINEL_PROJECT out of the env of that entry, or out of your own.";
    const what = `${name}: the server of ${path} serves another memory: ${started.memory}`;
    return [{ status: "warning", what, fix }, ...others];
  }
  return [ok(`${name}: the server of ${path} lists ${started.tools.length} tools in ${started.ms} ms`), ...others];
}

function checkEntry(entry: unknown, client: Client, files: ProjectFiles, init: string): Diagnosis[] {
  const { name } = client;
  const launches = launchesInUse(files);
  if (holdsEntry(entry, client.entry(launches))) return [];
  const path = configOf(client, files);
  if (!isOurEntry(entry, client, launches))
    return [
      { status: "note", what: `${name}: the entry in ${path} is not the one init writes.`, fix: `${init} --force` },
    ];
  const parts = partsOf(client, launches, false, files).filter((part) => part.path === path);
  const what = `${name}: the entry in ${path} is as an earlier version wrote it.`;
  return [{ status: "note", what, fix: init, repair: () => carryOut(parts, files) }];
}

type Environment = CheckContext["env"];

/** What a client tells the servers it starts of its own workspace: that of an agent in which doctor runs is not asked about. */
const OF_THE_CLIENT = ["CLAUDE_PROJECT_DIR", "WORKSPACE_FOLDER_PATHS"];

/** The command of an entry and its environment, with the workspace and variables filled in as the client would. */
function startOf(entry: unknown, folder: string, env: Environment): (Start & { env: Environment }) | undefined {
  const filledIn = (text: string) =>
    text.replace(/\$\{(?:env:)?(\w+)(?::-([^}]*))?\}/g, (written, name, otherwise) =>
      name === "workspaceFolder" ? folder : (env[name] ?? otherwise ?? written),
    );
  const [first, ...rest] = commandLine(entry).map(filledIn);
  if (first === undefined) return undefined;
  const own = environmentOf(entry).map(([name, value]) => [name, filledIn(value)]);
  const others = Object.entries(env).filter(([name]) => !OF_THE_CLIENT.includes(name));
  return { command: first, args: rest, env: Object.fromEntries([...others, ...own]) };
}

function checkPart(part: Part, files: ProjectFiles): Diagnosis[] {
  const [step] = planInit([part], files, false);
  if (!step) return [];
  const { path, what, before, after, problem } = step;
  const fix = "sentinel-memory init";
  if (problem) return [{ status: "warning", what: `${path}: ${problem.message}`, fix: problem.fix }];
  if (before === after) return [ok(`${path}: ${what} in place`)];
  // Hooks can be left out on purpose; rules that are there can be old.
  if (what === "hooks" && !before?.includes(SERVER_NAME))
    return [{ status: "note", what: `${path}: no hooks, so nothing brings lessons into a session by itself`, fix }];
  const state = before === undefined ? "missing" : "missing or not current";
  return [{ status: "warning", what: `${path}: ${what} ${state}`, fix, repair: () => carryOut([part], files) }];
}

/** Puts parts in as init does. @throws SentinelError where a file had to be left alone. */
async function carryOut(parts: readonly Part[], files: ProjectFiles): Promise<void> {
  const done = await applyInit(planInit(parts, files, false), parts, files);
  for (const { problem } of done) if (problem) throw problem;
}
