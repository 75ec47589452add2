/** Checks the files that init wrote, except for the servers' entries: whether the rules, the hooks and git's two files are current. */
import { type Client, SERVER_NAME } from "../../ground/clients/client.ts";
import { CLIENTS } from "../../ground/clients/clients.ts";
import { apply } from "../setup/apply.ts";
import { signOf } from "../setup/client-signs.ts";
import type { Edit } from "../setup/edits/edit.ts";
import { planInit, type Step } from "../setup/plan.ts";
import { clientEdits, distinct, gitEdits, inCheckout } from "../setup/project-edits.ts";
import type { ProjectFiles } from "../setup/project-files.ts";
import { launchesInUse, otherProgram } from "../setup/server-entry.ts";
import { type Context, type Finding, note, ok, warning } from "./finding.ts";

export async function checkInitFiles({ project, files }: Context): Promise<Finding[]> {
  const launches = launchesInUse(files);
  const clients = clientsInUse(files);
  const wanted = distinct([
    ...gitEdits(project, launches),
    ...clientEdits(clients, launches, files),
  ]);
  // If an entry starts another program, hooks that start ours don't belong in the project.
  const others = clients.filter((client) => otherProgram(client, files) !== undefined);
  const withoutHooks = others.map(({ hooks }) => hooks?.path);
  const checked = wanted.filter(
    ({ path, what }) => what !== "server" && !(what === "hooks" && withoutHooks.includes(path)),
  );
  const found: Finding[] = [];
  for (const edit of await inCheckout(checked, files))
    for (const step of planInit([edit], files)) found.push(findingOf(step, edit, files));
  return found;
}

/** Returns the clients that are in use or set up here. */
export function clientsInUse(files: ProjectFiles): Client[] {
  return CLIENTS.filter(
    (client) =>
      signOf(client, files) !== undefined || client.server.files.some((path) => files.exists(path)),
  );
}

function findingOf(step: Step, edit: Edit, files: ProjectFiles): Finding {
  const { path: file, what, before, after, problem } = step;
  const fix = "sentinel-memory init";
  if (problem) return { ...warning("file_unclear", problem.message, problem.fix), file };
  if (before === after) return { ...ok("file_current", `${what} in place`), file };
  const repair = () => repairWith(edit, files);
  if (edit.isMoved)
    return {
      ...warning("rules_twice", "has rules that stand in AGENTS.md too", fix),
      file,
      repair,
    };
  // Hooks may be left out on purpose, so missing hooks are only a note.
  if (what === "hooks" && !before?.includes(SERVER_NAME)) {
    const missing = "no hooks, so nothing brings lessons into a session by itself";
    return { ...note("hooks_missing", missing, fix), file };
  }
  const state = before === undefined ? "missing" : "missing or not current";
  return { ...warning("file_outdated", `${what} ${state}`, fix), file, repair };
}

/** Makes an edit in the same way as init. @throws SentinelError if a file had to be left alone. */
async function repairWith(edit: Edit, files: ProjectFiles): Promise<void> {
  const done = await apply(planInit([edit], files), files);
  for (const { problem } of done) if (problem) throw problem;
}
