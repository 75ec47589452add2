import { type PastSession, pastSessions } from "../../../capture/past-sessions.ts";
import { plural } from "../../../core/text.ts";
import { dateOf } from "../../../core/time.ts";
import { turnOn } from "../../../project/record/change-record.ts";
import { findRecord } from "../../../project/record/find-record.ts";
import { firstOn, mayRecord, type RecordManifest } from "../../../project/record/manifest.ts";
import { addRecordHooks } from "../../../setup/record-hooks.ts";
import type { AddCommand, CommandContext } from "../../command.ts";
import { lookForRecord, readersOf } from "../../project-record.ts";
import { inMegabytes } from "../../terminal/sizes.ts";
import { printSteps, throwIfLeftAlone } from "../../terminal/steps.ts";

export const addOn: AddCommand = (record, open) => {
  record
    .command("on")
    .description("record this project's sessions from now on; nothing of it leaves this machine")
    .action(() => on(open()));
};

async function on(context: CommandContext): Promise<void> {
  const { project, terminal, env, build } = context;
  const before = await lookForRecord(context);
  const record = await turnOn(project.folder, env, Date.now());
  const verb = before.status === "on" ? "Recording is on already" : "Recording is on, from now on";
  terminal.print(`${verb}: ${record.manifest.project}\nThe record: ${record.folder}`);
  const { steps, tracked } = await addRecordHooks(record.folder, project.folder, build);
  printSteps(terminal, steps, ({ problem, before: old, after }) =>
    problem ? "left alone" : old === after ? "unchanged" : "changed; yours alone, record off takes it out",
  );
  await printPast(context, record.manifest);
  for (const path of tracked)
    terminal.print(
      `${path} is in git, so no hooks were written there: sentinel-memory record capture reads at your call.`,
    );
  terminal.print(WHAT_NOW);
  throwIfLeftAlone(steps);
}

/** What was said before now is not recorded unless the person asks for it. */
async function printPast({ project, env, terminal }: CommandContext, manifest: RecordManifest): Promise<void> {
  const { home, places } = await findRecord(project.folder, env);
  const all = home ? await pastSessions(home, readersOf(places)) : [];
  const past = all.filter((session) => isLeftOut(session, manifest));
  if (past.length === 0) return;
  const bytes = past.reduce((sum, session) => sum + session.bytes, 0);
  const began = past.flatMap((session) => session.began ?? []).sort()[0];
  const since = began === undefined ? "" : `, since ${dateOf(began)}`;
  terminal.print(
    `The past is not recorded: ${plural(past.length, "session")}${since}, ${inMegabytes(bytes)} of transcripts.\nTo import it: sentinel-memory record capture --since 30d, or --all`,
  );
}

/** Whether a session began before recording was first turned on, and nobody has decided about it. */
function isLeftOut({ session, began }: PastSession, manifest: RecordManifest): boolean {
  const at = Date.parse(began ?? "");
  const first = firstOn(manifest);
  const isPast = first === undefined || !(at >= first);
  return isPast && !manifest.skipped.includes(session) && !mayRecord(manifest, { at, session });
}

const WHAT_NOW = `Kept: what you and the agents say, what tools are called with and answer, without secrets and private passages that
are recognised. sentinel-memory record off ends it, record skip leaves a session out, record delete removes all of it.`;
