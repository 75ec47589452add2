import { basename } from "node:path";
import { SentinelError } from "../../../../ground/core/errors.ts";
import { folderSize } from "../../../../ground/files/folder-size.ts";
import type { Surroundings } from "../../../../ground/terminal/command.ts";
import { inMegabytes } from "../../../../ground/terminal/sizes.ts";
import { allRecords, type KeptRecord } from "../../../../sessions/consent/all-records.ts";
import { removeRecord, turnOff } from "../../../../sessions/consent/change-record.ts";
import { RECORD_FORMAT } from "../../../../sessions/consent/manifest.ts";
import { homeOf, readRecordId, removeRecordId } from "../../../../sessions/consent/record-id.ts";
import { withRecordLock } from "../../../../sessions/files/record-files.ts";
import { openRecord } from "../../../../sessions/terminal/project-record.ts";
import type { AddSessionCommand, SessionCommandContext } from "../../../../sessions/terminal/session-command.ts";
import { removeRecordHooks } from "../../../setup/record-hooks.ts";

const FORGOTTEN = "Earlier skips, purges and times off no longer count afterwards.";

export const addDelete: AddSessionCommand = (record, open, here) => {
  record
    .command("delete")
    .description("remove the record of this project, or another one of this machine, with everything in it")
    .argument("[id]", "the id of a record, as record list shows it")
    .option("--name <project>", "the name of the project's folder, instead of being asked for it")
    .action(async (id, { name }) => {
      const doomed = id === undefined ? await recordHere(open()) : await recordNamed(here, id);
      await deleteRecord(here, doomed, name);
    });
};

async function recordHere(context: SessionCommandContext): Promise<KeptRecord> {
  const { id, folder, manifest } = await openRecord(context);
  return { id, folder, manifest: { ...manifest, project: (await homeOf(context.project.folder)).path }, isThere: true };
}

/** @throws SentinelError `not_found`. */
async function recordNamed({ env, cwd }: Surroundings, id: string): Promise<KeptRecord> {
  const kept = (await allRecords(env, cwd)).find((other) => other.id === id);
  if (kept) return kept;
  const fix = "sentinel-memory record list shows all of them.";
  throw new SentinelError("not_found", `This machine has no record ${id}.`, fix);
}

/** Asks for the project's name, so that nobody removes the record of another one by a key too many. */
async function deleteRecord(
  { terminal }: Surroundings,
  { id, folder, manifest, isThere }: KeptRecord,
  given: string | undefined,
): Promise<void> {
  const project = manifest?.project ?? id;
  const name = basename(project);
  const size = inMegabytes(folderSize(folder));
  const question = `This removes the record of ${project}, ${size}, for good. ${FORGOTTEN} Type the name of its folder, ${name}:`;
  const answer =
    given ??
    (await terminal.mustAnswer(question, `A record that is deleted cannot be restored. ${FORGOTTEN}`, "--name"));
  if (answer !== name)
    throw new SentinelError("bad_argument", `"${answer}" is not "${name}"; nothing was removed.`, `--name ${name}`);
  if (isThere) {
    await removeRecordHooks(folder);
    const home = await homeOf(project);
    if ((await readRecordId(home)) === id) await removeRecordId(home);
  }
  // A capture that is running ends with its next batch, and must not write into what was removed.
  if (manifest && manifest.format <= RECORD_FORMAT) await turnOff({ folder, id }, Date.now());
  await withRecordLock(folder, async () => removeRecord(folder));
  terminal.print(`Removed: the record of ${project}, ${size}.`);
  if (manifest?.daemon)
    terminal.print(
      `What ${manifest.daemon.url} keeps of it stays there: record on --url, then sentinel-memory record purge takes it out.`,
    );
}
