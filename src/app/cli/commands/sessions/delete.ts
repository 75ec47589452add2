import { basename } from "node:path";
import { SentinelError } from "../../../../ground/core/errors.ts";
import { present } from "../../../../ground/core/text.ts";
import { folderSize } from "../../../../ground/files/read-files.ts";
import type { Surroundings } from "../../../../ground/terminal/command.ts";
import { inMegabytes } from "../../../../ground/terminal/layout.ts";
import { quoted } from "../../../../ground/terminal/shell.ts";
import { removeLog, turnOff } from "../../../../sessions/consent/change-log.ts";
import { allLogs, type KeptLog } from "../../../../sessions/consent/find-log.ts";
import { removeLogId } from "../../../../sessions/consent/log-id.ts";
import { RECORD_FORMAT } from "../../../../sessions/consent/manifest.ts";
import { withLogLock } from "../../../../sessions/files/log-lock.ts";
import { type AddSessionCommand, recorded, type SessionCommandContext } from "../../../../sessions/terminal/project-log.ts";
import { removeSessionHooks } from "../../../setup/session-hooks.ts";

const FORGOTTEN = "Earlier skips, purges and times off no longer count afterwards.";

export const addDelete: AddSessionCommand = (sessions, open, here) => {
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
      if (answer !== name)
        throw new SentinelError(
          "bad_argument",
          `"${answer}" is not "${name}"; nothing was removed.`,
          present("sentinel-memory sessions delete", named, `--name ${quoted(name)}`).join(" "),
        );
      if (isThere) {
        await removeSessionHooks(folder);
        await removeLogId(project, id);
      }
      // A running capture stops at its next batch if recording is off. Otherwise it would write into the deleted folder.
      if (manifest && manifest.format <= RECORD_FORMAT) await turnOff({ folder, id }, Date.now());
      await withLogLock(folder, async () => removeLog(folder));
      terminal.print(`Removed: the session log of ${project}, ${size}.`);
      if (manifest?.daemon)
        terminal.tell(
          `Events at ${manifest.daemon.url} stay. To remove those: sentinel-memory sessions on --url URL, then sentinel-memory sessions purge.`,
        );
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
  if (kept) return kept;
  const fix = "sentinel-memory sessions list --projects shows all of them.";
  throw new SentinelError("not_found", `This machine has no session log ${id}.`, fix);
}
