import { resolve } from "node:path";
import { SentinelError } from "../../../ground/core/errors.ts";
import { plural } from "../../../ground/core/text.ts";
import { isWithin } from "../../../ground/files/paths.ts";
import { writePrivate } from "../../../ground/files/private-file.ts";
import { STAGING } from "../../../ground/files/replace-file.ts";
import { mustReadGit, seenBy } from "../../../ground/project/git.ts";
import { exportLines } from "../../storing/exported.ts";
import { type AddSessionCommand, openLog } from "../../terminal/project-log.ts";

export const addExport: AddSessionCommand = (sessions, open) => {
  sessions
    .command("export")
    .description("write the session log to a file")
    .argument("<file>", "the file to write, which must not exist yet")
    .action(async (file: string) => {
      const context = open();
      const { store, manifest } = await openLog(context);
      const path = resolve(context.cwd, file);
      // The staging file has a longer name, which git could see.
      const seen = await seenBy(context.project.folder, [path, `${path}${STAGING}`]);
      if (!seen && isWithin(context.project.folder, path))
        await mustReadGit(context.project.folder);
      if (seen?.length)
        throw new SentinelError(
          "bad_argument",
          `git would take ${path} along, and it would hold all that agents saw here.`,
          "Name a file outside the repository, or in a folder that git ignores.",
        );
      const counts = { events: 0, artifacts: 0 };
      await writePrivate(file, exportLines(manifest, [store], counts));
      const written = `${plural(counts.events, "event")} and ${plural(counts.artifacts, "artifact")}`;
      context.terminal.print(
        `Written: ${written}, to ${file}. It holds all that agents saw here: keep it out of git.`,
      );
    });
};
