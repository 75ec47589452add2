import { NO_OWN_WORDS } from "../../ground/redaction/own-words.ts";
import { redactionNotes } from "../answers/redaction-notes.ts";
import { prepareReason } from "../changes/draft.ts";
import { findRecords } from "../queries/references.ts";
import { inShort } from "../terminal/lessons.ts";
import type { AddLessonCommand } from "../terminal/read-memory.ts";

export const addForget: AddLessonCommand = (program, open) => {
  program
    .command("forget")
    .description("remove lessons from the memory")
    .argument("<ids...>", "ids, or their first 6 or more digits")
    .option("--reason <text>", "the reason, for the team (256 bytes at most)")
    .option("--yes", "do not ask")
    .action(async (ids: string[], { reason = "", yes }) => {
      const { lessons, readPrivacy, terminal } = open();
      // Without a reason nothing is stored that was not there.
      const words = reason === "" ? NO_OWN_WORDS : (await readPrivacy()).forStoring();
      const { reason: why, redactions } = prepareReason(reason, words);
      // Restore undoes it, so the command asks only at a terminal.
      if (!yes && terminal.isInteractive) {
        const snapshot = await lessons.read();
        for (const id of ids) {
          const found = findRecords(snapshot, id);
          if ("lines" in found)
            for (const { version } of found.lines) terminal.print(inShort(version, terminal.page));
        }
        if (!(await terminal.confirm("Forget this?"))) return;
      }
      const forgotten = await lessons.forget(ids, why);
      for (const { version } of forgotten)
        terminal.print(`Forgotten: ${inShort(version, terminal.page)}`);
      for (const line of redactionNotes(redactions)) terminal.print(line);
      terminal.print(
        "restore brings it back. Commit the memory file, so that the team forgets it too.",
      );
    });
};
