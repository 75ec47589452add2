import { basename } from "node:path";
import { Option } from "commander";
import { SentinelError } from "../../../ground/core/errors.ts";
import { present } from "../../../ground/core/text.ts";
import { quoted } from "../../../ground/files/paths.ts";
import { folderSize } from "../../../ground/files/read-files.ts";
import { mustReadGit } from "../../../ground/project/git.ts";
import type { Surroundings } from "../../../ground/terminal/command.ts";
import { inMegabytes } from "../../../ground/terminal/layout.ts";
import { addCapture } from "../../../sessions/commands/sessions/capture.ts";
import { addList } from "../../../sessions/commands/sessions/list.ts";
import { addPurge, addSkip } from "../../../sessions/commands/sessions/purge.ts";
import { addSearch } from "../../../sessions/commands/sessions/search.ts";
import { addShow } from "../../../sessions/commands/sessions/show.ts";
import { addExport, addImport } from "../../../sessions/commands/sessions/transfer.ts";
import { removeLog, turnOff, turnOn } from "../../../sessions/consent/change-log.ts";
import { keepToken } from "../../../sessions/consent/daemon-log.ts";
import {
  allLogs,
  type DaemonLog,
  findLog,
  isOn,
  type KeptLog,
  type LogManifest,
  RECORD_FORMAT,
} from "../../../sessions/consent/find-log.ts";
import {
  daysIn,
  keepEventsFor,
  limitsFile,
  readLogLimits,
} from "../../../sessions/consent/limits.ts";
import { removeLogId } from "../../../sessions/consent/log-id.ts";
import { withLogLock } from "../../../sessions/files/log-lock.ts";
import { daemonUrl } from "../../../sessions/remote/call-daemon.ts";
import { daemonFor } from "../../../sessions/terminal/daemon-for.ts";
import { noteFolder } from "../../../sessions/terminal/former-folder.ts";
import { limitsInWords } from "../../../sessions/terminal/limits-in-words.ts";
import {
  type AddSessionCommand,
  lookForUsable,
  recorded,
  type SessionCommandContext,
  withFix,
} from "../../../sessions/terminal/project-log.ts";
import { notable } from "../../setup/plan.ts";
import { addSessionHooks, inGit, removeSessionHooks } from "../../setup/session-hooks.ts";
import { printSteps, throwIfLeftAlone } from "../print.ts";
import { addStatus } from "./status.ts";

const addOn: AddSessionCommand = (sessions, open) => {
  sessions
    .command("on")
    .description("record this project's sessions from now on")
    .option(
      "--keep-days <n>",
      "days to keep events, or 0 to keep them until you remove them",
      daysIn,
    )
    .option(
      "--url <url>",
      "keep the session log at this daemon, with the token in SENTINEL_TOKEN",
      daemonUrl,
    )
    .addOption(
      new Option(
        "--channel <channel>",
        "with --url: who may read the events (default: private)",
      ).choices(["private", "team"]),
    )
    .option("--continue", "continue the session log of a project that you moved here")
    .action((options: Options) => turnRecordingOn(open(), options));
};

interface Options {
  readonly keepDays?: number;
  readonly url?: string;
  readonly channel?: DaemonLog["channel"];
  readonly continue?: boolean;
}

async function turnRecordingOn(context: SessionCommandContext, options: Options): Promise<void> {
  const { project, terminal, env } = context;
  // Without git, it's unknown which files are shared, and the session log's id can't be written.
  await mustReadGit(project.folder);
  // With --continue, the note about the move would only repeat why you ran the command.
  const before = options.continue
    ? await findLog(project.folder, env)
    : await lookForUsable(context);
  const { keepDays } = options;
  const daemon = await daemonFor(context, before, options);
  // This checks the file of limits first, so an error in it is reported before recording is on.
  if (keepDays !== undefined) {
    await keepEventsFor(project.folder, keepDays);
  }
  const { manifest, folder } = await turnOn(project.folder, env, {
    now: Date.now(),
    daemon: daemon?.record,
    continues: options.continue,
  });
  if (daemon) {
    await keepToken(folder, daemon.token);
  }
  if (before.status === "moved" && before.record) {
    await noteFolder(folder, before.record.manifest.project);
  }
  const wasOn = before.status === "on";
  terminal.print(
    `${wasOn ? "Recording is on already" : "Recording is on, from now on"}: ${manifest.project}`,
  );
  terminal.print(`The session log: ${manifest.daemon?.url ?? folder}`);
  if (daemon) {
    terminal.tell(daemon.inWords);
  }
  await setUpHooks(context, folder, manifest, wasOn);
}

/** Adds the hooks and explains which events they record. */
async function setUpHooks(
  context: SessionCommandContext,
  logFolder: string,
  manifest: LogManifest,
  wasOn: boolean,
): Promise<void> {
  const { project, terminal } = context;
  const { steps, tracked, asks } = await addSessionHooks(logFolder, project.folder, context);
  printSteps(terminal, steps);
  if (!wasOn) {
    terminal.tell(PAST);
  }
  const { limits } = await readLogLimits(project.folder);
  terminal.tell(`Limits: ${limitsInWords(limits)}`);
  const change = `To change the days: sentinel-memory sessions on --keep-days 365 (events_days in ${limitsFile(project.folder)})`;
  terminal.tell(limits ? change : "To see the mistake: sentinel-memory sessions status");
  for (const path of tracked) {
    terminal.tell(withFix(inGit(path)));
  }
  for (const ask of asks) {
    terminal.print(ask);
  }
  terminal.tell(whatNow(manifest));
  throwIfLeftAlone(steps, ON_WITHOUT_HOOKS);
}

const ON_WITHOUT_HOOKS = `Recording is on, but without these hooks only sentinel-memory sessions capture reads transcripts. Fix each file as
described above, then run sentinel-memory sessions on again.`;

const PAST =
  "The past is not recorded: sentinel-memory sessions capture --since 30d shows how much there is, and asks.";

function whatNow({ daemon }: LogManifest): string {
  const removed = daemon
    ? "purge removes events, also at the daemon"
    : "sessions delete removes all of it";
  return `Kept: what you and the agents say, what tools are called with and answer, without secrets and private passages that
are recognised. sentinel-memory sessions off ends it, sessions skip leaves a session out, ${removed}.`;
}

const addOff: AddSessionCommand = (sessions, open) => {
  sessions
    .command("off")
    .description("stop recording")
    .action(async () => {
      const context = open();
      const { project, terminal } = context;
      const { record, home } = await recorded(context);
      const { daemon } = record.manifest;
      await turnOff(record, Date.now());
      const steps = notable(await removeSessionHooks(record.folder, project.folder));
      terminal.print(
        `Recording is off${isOn(record.manifest) ? ", from now on" : " already"}: ${home.path}`,
      );
      printSteps(terminal, steps);
      if (daemon) {
        terminal.print(`Recorded events stay at ${daemon.url}.`);
      } else {
        terminal.tell(
          `Recorded events stay in ${record.folder}. To remove them: sentinel-memory sessions delete`,
        );
      }
      if (!home.hasGit) {
        terminal.print(
          ".context/.local/record stays too. It identifies this project's session log.",
        );
      }
      throwIfLeftAlone(steps);
    });
};

const FORGOTTEN = "Earlier skips, purges and times off no longer count afterwards.";

const addDelete: AddSessionCommand = (sessions, open, here) => {
  sessions
    .command("delete")
    .description("delete a session log permanently")
    .argument("[id]", "the id of a session log, as sessions list --projects shows it")
    .option("--name <project>", "the name of the project's folder, instead of being asked for it")
    .action(async (named: string | undefined, { name: given }) => {
      const { terminal } = here;
      const kept = named === undefined ? await logHere(open()) : await logNamed(here, named);
      const { id, folder, manifest, isThere } = kept;
      const project = manifest?.project ?? id;
      const name = basename(project);
      const size = inMegabytes(folderSize(folder));
      // Typing the name prevents deleting another project's session log by accident.
      const question = `This permanently removes the session log of ${project}, ${size}. ${FORGOTTEN} Type the name of its folder, ${name}:`;
      const why = `A session log that is deleted cannot be restored. ${FORGOTTEN}`;
      const answer = given ?? (await terminal.mustAnswer(question, why, "--name"));
      if (answer !== name) {
        throw new SentinelError(
          "bad_argument",
          `"${answer}" is not "${name}"; nothing was removed.`,
          present("sentinel-memory sessions delete", named, `--name ${quoted(name)}`).join(" "),
        );
      }
      if (isThere) {
        await removeSessionHooks(folder);
        await removeLogId(project, id);
      }
      // A running capture stops at its next batch if recording is off. Otherwise it would write into the deleted folder.
      if (manifest && manifest.format <= RECORD_FORMAT) {
        await turnOff({ folder, id }, Date.now());
      }
      await withLogLock(folder, async () => removeLog(folder));
      terminal.print(`Removed: the session log of ${project}, ${size}.`);
      if (manifest?.daemon) {
        terminal.tell(
          `Events at ${manifest.daemon.url} stay. To remove those: sentinel-memory sessions on --url URL, then sentinel-memory sessions purge.`,
        );
      }
    });
};

async function logHere(context: SessionCommandContext): Promise<KeptLog> {
  const { record, home } = await recorded(context);
  const { id, folder, manifest } = record;
  return { id, folder, manifest: { ...manifest, project: home.path }, isThere: true };
}

/** Finds a session log by its id. @throws SentinelError `not_found`. */
async function logNamed({ env }: Surroundings, id: string): Promise<KeptLog> {
  const kept = (await allLogs(env)).find((other) => other.id === id);
  if (kept) {
    return kept;
  }
  const fix = "sentinel-memory sessions list --projects shows all of them.";
  throw new SentinelError("not_found", `This machine has no session log ${id}.`, fix);
}

/** The commands, in the order of the help. */
const COMMANDS: readonly AddSessionCommand[] = [
  addOn,
  addOff,
  addStatus,
  addList,
  addSearch,
  addShow,
  addSkip,
  addPurge,
  addCapture,
  addExport,
  addImport,
  addDelete,
];

export const addSessions: AddSessionCommand = (program, open, here) => {
  const sessions = program
    .command("sessions")
    .description("record your agents' sessions and search them");
  for (const add of COMMANDS) {
    add(sessions, open, here);
  }
};
