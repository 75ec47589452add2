import { Option } from "commander";
import { plural } from "../../../../ground/core/text.ts";
import { dateOf } from "../../../../ground/core/time.ts";
import { mustReadGit } from "../../../../ground/project/git.ts";
import { inMegabytes } from "../../../../ground/terminal/layout.ts";
import { Folders } from "../../../../sessions/capture/belonging.ts";
import { type PastSession, pastSessions } from "../../../../sessions/capture/past-sessions.ts";
import { readersOf } from "../../../../sessions/capture/sources.ts";
import { turnOn } from "../../../../sessions/consent/change-log.ts";
import { keepToken } from "../../../../sessions/consent/daemon-log.ts";
import { type FoundLog, findLog } from "../../../../sessions/consent/find-log.ts";
import {
  daysIn,
  keepEventsFor,
  limitsFile,
  readLogLimits,
} from "../../../../sessions/consent/limits.ts";
import {
  type DaemonLog,
  firstOn,
  type LogManifest,
  mayRecord,
} from "../../../../sessions/consent/manifest.ts";
import { daemonUrl } from "../../../../sessions/remote/call-daemon.ts";
import { daemonFor } from "../../../../sessions/terminal/daemon-for.ts";
import { noteFolder } from "../../../../sessions/terminal/former-folder.ts";
import {
  type AddSessionCommand,
  lookForUsable,
  type SessionCommandContext,
  withFix,
} from "../../../../sessions/terminal/project-log.ts";
import { addSessionHooks, inGit } from "../../../setup/session-hooks.ts";
import { printSteps, throwIfLeftAlone } from "../../steps.ts";

export const addOn: AddSessionCommand = (sessions, open) => {
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
  const keepDays = options.keepDays ?? (await askForDays(context, before));
  const daemon = await daemonFor(context, before, options);
  // This checks the file of limits first, so an error in it is reported before recording is on.
  if (keepDays !== undefined) await keepEventsFor(project.folder, keepDays);
  const { manifest, folder } = await turnOn(project.folder, env, {
    now: Date.now(),
    daemon: daemon?.record,
    continues: options.continue,
  });
  if (daemon) await keepToken(folder, daemon.token);
  if (before.status === "moved" && before.record)
    await noteFolder(folder, before.record.manifest.project);
  const isOn = before.status === "on";
  terminal.print(
    `${isOn ? "Recording is on already" : "Recording is on, from now on"}: ${manifest.project}`,
  );
  terminal.print(`The session log: ${manifest.daemon?.url ?? folder}`);
  if (daemon) terminal.tell(daemon.inWords);
  await setUpHooks(context, folder, manifest);
}

/** Adds the hooks and explains what is recorded. */
async function setUpHooks(
  context: SessionCommandContext,
  logFolder: string,
  manifest: LogManifest,
): Promise<void> {
  const { project, terminal } = context;
  const { steps, tracked, asks } = await addSessionHooks(logFolder, project.folder, context);
  printSteps(terminal, steps, ({ before, after }) =>
    before === after ? "unchanged" : "changed (only yours; sessions off removes our part)",
  );
  await printPast(context, manifest);
  terminal.tell(await keptFor(context));
  for (const path of tracked) terminal.tell(withFix(inGit(path)));
  for (const ask of asks) terminal.print(ask);
  terminal.tell(whatNow(manifest));
  throwIfLeftAlone(steps, ON_WITHOUT_HOOKS);
}

const ON_WITHOUT_HOOKS = `Recording is on, but without these hooks only sentinel-memory sessions capture reads transcripts. Fix each file as
described above, then run sentinel-memory sessions on again.`;

/** Asks how many days to keep events, if that isn't set and there is a terminal. Returns undefined to keep all events. */
async function askForDays(
  { project, terminal }: SessionCommandContext,
  before: FoundLog,
): Promise<number | undefined> {
  if (before.status !== "never" || !terminal.isInteractive) return undefined;
  if ((await readLogLimits(project.folder)).limits?.eventsDays !== undefined) return undefined;
  const answer = await terminal.mustAnswer(HOW_LONG, HOW_LONG, "--keep-days");
  return answer === "" ? undefined : daysIn(answer);
}

const HOW_LONG =
  "For how many days are events to be kept? Without a number they stay until you remove them:";

async function keptFor({ project }: SessionCommandContext): Promise<string> {
  const { limits } = await readLogLimits(project.folder);
  const path = limitsFile(project.folder);
  if (!limits)
    return `Events stay until ${path} is corrected. To see the problem: sentinel-memory sessions status`;
  const { eventsDays } = limits;
  return eventsDays === undefined
    ? `Events stay until you remove them; sentinel-memory sessions on --keep-days 365 limits that (events_days in ${path}).`
    : `Events are deleted after ${plural(eventsDays, "day")} (events_days in your record.yaml; --keep-days changes it here: ${path}).`;
}

/** Earlier sessions aren't recorded, so this prints their size and the command that imports them. */
async function printPast(
  { project, env, terminal }: SessionCommandContext,
  manifest: LogManifest,
): Promise<void> {
  const { home, places } = await findLog(project.folder, env);
  const all = await pastSessions(new Folders(home, [manifest.project]), readersOf(places));
  const past = all.filter((session) => isLeftOut(session, manifest));
  if (past.length === 0) return;
  const bytes = past.reduce((sum, session) => sum + session.bytes, 0);
  const began = past.flatMap((session) => session.began ?? []).sort()[0];
  const since = began === undefined ? "" : `, since ${dateOf(began)}`;
  terminal.tell(
    `The past is not recorded: ${plural(past.length, "session")}${since}, ${inMegabytes(bytes)} of transcripts.\nTo import it: sentinel-memory sessions capture --since 30d, or --all`,
  );
}

/** Whether a session began before recording was first turned on, and wasn't imported or skipped. */
function isLeftOut({ session, began }: PastSession, manifest: LogManifest): boolean {
  const at = Date.parse(began ?? "");
  const first = firstOn(manifest);
  const isPast = first === undefined || !(at >= first);
  return isPast && !manifest.skipped.includes(session) && !mayRecord(manifest, { at, session });
}

function whatNow({ daemon }: LogManifest): string {
  const removed = daemon
    ? "purge removes events, also at the daemon"
    : "sessions delete removes all of it";
  return `Kept: what you and the agents say, what tools are called with and answer, without secrets and private passages that
are recognised. sentinel-memory sessions off ends it, sessions skip leaves a session out, ${removed}.`;
}
