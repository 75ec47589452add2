/** Checks what init set up, except for the servers' entries: Node, the package or the server's copy, and whether the rules, the hooks and git's two files are current. */
import packageJson from "../../../package.json" with { type: "json" };
import { type Client, isOurEntry, SERVER_NAME } from "../../ground/clients/client.ts";
import { CLIENTS } from "../../ground/clients/clients.ts";
import { DEVELOPMENT_DEPENDENCY } from "../../ground/clients/launch.ts";
import { tryOr } from "../../ground/core/errors.ts";
import type { Edit } from "../setup/edits/edit.ts";
import { apply, planInit, type Step } from "../setup/plan.ts";
import {
  clientEdits,
  distinct,
  gitEdits,
  inCheckout,
  isDependency,
  isInstalled,
  launchesInUse,
  presentEntry,
  signOf,
  startsAnother,
} from "../setup/project-edits.ts";
import type { ProjectFiles } from "../setup/project-files.ts";
import { type CopyFinding, examineCopy, missingCopy } from "../setup/server-copy.ts";
import { broken, type Context, type Finding, note, ok, warning } from "./finding.ts";

export async function checkInitFiles({ project, files }: Context): Promise<Finding[]> {
  const launches = launchesInUse(files);
  const clients = clientsInUse(files);
  const wanted = distinct([
    ...gitEdits(project, launches),
    ...clientEdits(clients, launches, files),
  ]);
  // If an entry starts another program, hooks that start ours don't belong in the project.
  const others = clients.filter((client) => startsAnother(client, files));
  const withoutHooks = others.map(({ hooks }) => hooks?.path);
  const checked = wanted.filter(({ path, what }) => {
    if (what === "hooks") {
      return !withoutHooks.includes(path);
    }
    return what !== "server";
  });
  const found: Finding[] = [];
  for (const edit of await inCheckout(checked, files)) {
    for (const step of planInit([edit], files)) {
      found.push(findingOf(step, edit, files));
    }
  }
  return found;
}

/** Returns the clients that are in use or set up here. */
export function clientsInUse(files: ProjectFiles): Client[] {
  return CLIENTS.filter((client) => {
    const isSetUp = client.server.files.some((path) => files.exists(path));
    return isSetUp || signOf(client, files) !== undefined;
  });
}

function findingOf(step: Step, edit: Edit, files: ProjectFiles): Finding {
  const { path: file, what, before, after, problem } = step;
  const fix = "sentinel-memory init";
  if (problem) {
    return { ...warning("file_unclear", problem.message, problem.fix), file };
  }
  if (before === after) {
    return { ...ok("file_current", `${what} in place`), file };
  }
  const repair = () => repairWith(edit, files);
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
  for (const { problem } of done) {
    if (problem) {
      throw problem;
    }
  }
}

export function checkNode(): Finding[] {
  const oldest = packageJson.engines.node.replace(/^\D+/, "");
  const { node } = process.versions;
  if (node.localeCompare(oldest, "en", { numeric: true }) >= 0) {
    return [ok("node", `Node ${node}`)];
  }
  const what = `Node ${node} is older than ${oldest}, the oldest that is supported.`;
  const fix = "Install a newer Node, and see that your agents find it in their PATH.";
  return [broken("node_too_old", what, fix)];
}

/** Checks the program that the entries start, if it isn't the copy in the repository. */
export function checkPackage({ files }: Context): Finding[] {
  const launches = launchesInUse(files);
  if (launches.startsCopy) {
    return [];
  }
  if (isInstalled(files.folder)) {
    return [ok("package", "The package is installed here.")];
  }
  const { command } = launches.here;
  if (launches !== DEVELOPMENT_DEPENDENCY) {
    return [ok("package", `The entries start ${command}, not a package of this project.`)];
  }
  const startsIt = CLIENTS.some((client) => startsDependency(client, files));
  return startsIt || isDependency(files) ? [NOT_INSTALLED] : [];
}

/** Whether a client's entry is the one for a dependency. It stays when package.json no longer lists the package. */
function startsDependency(client: Client, files: ProjectFiles): boolean {
  const entry = tryOr(() => presentEntry(client, files), undefined);
  return isOurEntry(entry, client, DEVELOPMENT_DEPENDENCY);
}

/** Checks the server copy in the repository. Empty if there is no copy and no entry starts one. */
export function checkCopy({ files, build }: Context): Finding[] {
  const copy = examineCopy(files, build);
  if (launchesInUse(files).startsCopy) {
    return [copyFinding(copy ?? missingCopy())];
  }
  return copy ? [copyFinding(copy), UNUSED_COPY] : [];
}

function copyFinding({ status, what, fix }: CopyFinding): Finding {
  return { id: "server_copy", level: status, what, fix };
}

const NOT_INSTALLED = warning(
  "package_missing",
  "The package is not installed here, so the entries that init writes cannot start it.",
  "npm install, if package.json lists it. Otherwise, sentinel-memory init --vendor needs no npm.",
);
const UNUSED_COPY = note(
  "server_copy_unused",
  "No entry starts the copy of the server in .context/server.",
  "sentinel-memory init --vendor, so that they start it; or git rm -r .context/server",
);
