import { NO_OWN_WORDS } from "../../ground/redaction/own-words.ts";
import { redactionNotes } from "../answers/file-report.ts";
import { prepareReason } from "../changes/draft.ts";
import { findRecords } from "../queries/references.ts";
import { inShort } from "../terminal/lessons.ts";
import type { AddLessonCommand, LessonCommandContext } from "../terminal/read-memory.ts";

interface Options {
  readonly reason?: string;
  readonly yes?: boolean;
}

export const addForget: AddLessonCommand = (program, open) => {
  program
    .command("forget")
    .description("remove lessons from the memory")
    .argument("<ids...>", "ids, or their first 6 or more digits")
    .option("--reason <text>", "the reason, for the team (256 bytes at most)")
    .option("--yes", "do not ask")
    .action((ids: string[], options: Options) => forget(open(), ids, options));
};

async function forget(
  context: LessonCommandContext,
  ids: readonly string[],
  { reason = "", yes = false }: Options,
): Promise<void> {
  const { lessons, readPrivacy, terminal } = context;
  // Without a reason no new text is stored.
  const words = reason === "" ? NO_OWN_WORDS : (await readPrivacy()).forStoring();
  const { reason: why, redactions } = prepareReason(reason, words);
  // Restore undoes it, so the command asks only at a terminal.
  if (!yes && terminal.isInteractive) {
    await printNamed(context, ids);
    if (!(await terminal.confirm("Forget this?"))) return;
  }
  const forgotten = await lessons.forget(ids, why);
  for (const { version } of forgotten)
    terminal.print(`Forgotten: ${inShort(version, terminal.page)}`);
  for (const line of redactionNotes(redactions)) terminal.print(line);
  terminal.print(
    "restore brings it back. Commit the memory file, so that the team forgets it too.",
  );
}

/** Prints the lessons that the names mean. */
async function printNamed(
  { lessons, terminal }: LessonCommandContext,
  names: readonly string[],
): Promise<void> {
  const snapshot = await lessons.read();
  for (const name of names) {
    const found = findRecords(snapshot, name);
    const lines = "lines" in found ? found.lines : [];
    for (const { version } of lines) terminal.print(inShort(version, terminal.page));
  }
}
