/** The files that init wrote, without the servers' entries: whether rules, hooks and git's two files are what it would write today. */
import { type Client, SERVER_NAME } from "../../ground/clients/client.ts";
import { CLIENTS } from "../../ground/clients/clients.ts";
import { readSessions } from "../../lessons/hooks/session-file.ts";
import { applyInit } from "../setup/apply.ts";
import { signOf } from "../setup/client-signs.ts";
import type { Edit } from "../setup/edits/edit.ts";
import { planInit } from "../setup/plan.ts";
import { clientEdits, distinct, gitEdits, inCheckout } from "../setup/project-edits.ts";
import type { ProjectFiles } from "../setup/project-files.ts";
import { launchesInUse, otherProgram } from "../setup/server-entry.ts";
import { type CheckContext, type Diagnosis, note, ok, warning } from "./diagnosis.ts";

export async function checkInitFiles({ project, files }: CheckContext): Promise<Diagnosis[]> {
  const launches = launchesInUse(files);
  const clients = clientsInUse(files);
  const wanted = distinct([
    ...gitEdits(project, launches),
    ...clientEdits(clients, launches, files),
  ]);
  // Hooks that start our program don't belong beside an entry that starts another.
  const withoutHooks = clients.filter((client) => otherProgram(client, files) !== undefined);
  const left = withoutHooks.map(({ hooks }) => hooks?.path);
  const edits = await inCheckout(
    wanted.filter(({ path, what }) => what !== "hooks" || !left.includes(path)),
    files,
  );
  const diagnoses = edits
    .filter(({ what }) => what !== "server")
    .flatMap((edit) => checkEdit(edit, files));
  return [...diagnoses, ...checkCalls(project)];
}

/** Hooks that call the server are skipped without a word where it is not connected, so silence is all there is to see. */
function checkCalls({ context }: CheckContext["project"]): Diagnosis[] {
  const served = Object.values(readSessions(context.local)).flatMap(
    (session) => session.served ?? [],
  );
  if (served.length < SILENT_SESSIONS || served.includes(true)) return [];
  const what = `no hook of the last ${served.length} sessions reached the server, so lessons came at their start alone`;
  return [
    warning(
      what,
      "claude mcp list shows whether the server is connected. Approve it in claude with /mcp",
    ),
  ];
}

/** Fewer sessions without a sign of life may be an accident. */
const SILENT_SESSIONS = 3;

/** The clients that are in use here, or set up. */
export function clientsInUse(files: ProjectFiles): Client[] {
  return CLIENTS.filter(
    (client) =>
      signOf(client, files) !== undefined || client.server.files.some((path) => files.exists(path)),
  );
}

/** Makes edits as init does. @throws SentinelError where a file had to be left alone. */
async function repairWith(edits: readonly Edit[], files: ProjectFiles): Promise<void> {
  const done = await applyInit(planInit(edits, files, {}), files);
  for (const { problem } of done) if (problem) throw problem;
}

function checkEdit(edit: Edit, files: ProjectFiles): Diagnosis[] {
  return planInit([edit], files, {}).map(({ path, what, before, after, problem }) => {
    const fix = "sentinel-memory init";
    if (problem) return warning(`${path}: ${problem.message}`, problem.fix);
    if (before === after) return ok(`${path}: ${what} in place`);
    if (edit.isMoved) {
      const twice = warning(`${path}: has rules that stand in AGENTS.md too`, fix);
      return { ...twice, repair: () => repairWith([edit], files) };
    }
    // Hooks can be left out on purpose; rules that are there can be old.
    if (what === "hooks" && !before?.includes(SERVER_NAME))
      return note(`${path}: no hooks, so nothing brings lessons into a session by itself`, fix);
    const state = before === undefined ? "missing" : "missing or not current";
    return {
      ...warning(`${path}: ${what} ${state}`, fix),
      repair: () => repairWith([edit], files),
    };
  });
}
