import { SentinelError } from "../../ground/core/errors.ts";
import { forkFrom } from "../../ground/project/git.ts";
import { safeLine } from "../../ground/terminal/layout.ts";
import { differenceOf } from "../history/difference.ts";
import { knownVersions, lastTexts, snapshotAt } from "../history/known-versions.ts";
import { differenceInText } from "../terminal/difference.ts";
import type { AddLessonCommand } from "../terminal/read-memory.ts";

export const addDiff: AddLessonCommand = (program, open) => {
  program
    .command("diff")
    .description("show what this branch changes in the memory")
    .argument("[ref]", "branch, tag or commit to compare with (default: upstream, else HEAD)")
    .action(async (ref: string | undefined) => {
      const { project, lessons, terminal } = open();
      const fork = await forkFrom(project.folder, ref);
      if (!fork) {
        const what =
          ref === undefined
            ? "There is no commit to compare with."
            : `git knows no "${safeLine(ref)}" here.`;
        const fix =
          "Name a branch, a tag or a commit of this repository; git fetch brings those of the remote.";
        throw new SentinelError("not_found", what, fix);
      }
      const now = await lessons.read();
      const texts = lastTexts(await knownVersions(lessons.location, now, await lessons.removed()));
      const changes = differenceOf(await snapshotAt(lessons.location, fork.commit), now, texts);
      terminal.print(differenceInText(changes, fork.name, terminal.page));
    });
};
