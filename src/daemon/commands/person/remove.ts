import { SentinelError } from "../../../ground/core/errors.ts";
import { writePrivate } from "../../../ground/files/write-private.ts";
import type { AddDaemonCommand } from "../../terminal/daemon-commands.ts";
import { asOwner, WITH_DATABASE } from "../../terminal/database-option.ts";

export const addRemove: AddDaemonCommand = (person, _open, here) => {
  person
    .command("remove")
    .description("remove a person with their tokens and private events")
    .argument("<name>")
    .requiredOption("--group <group>", "from which group")
    .requiredOption("--to <person>", "who may purge what they recorded for the team")
    .option("--export <file>", "write all that they recorded to this new file first")
    .option("--name <person>", "their name again, to confirm without a prompt")
    .option(...WITH_DATABASE)
    .action(async (name: string, options) => {
      const { terminal } = here;
      const question = `This ends the tokens of ${name} and deletes their private events. Type the name:`;
      const why = "Private events can't be restored.";
      const answer = options.name ?? (await terminal.mustAnswer(question, why, "--name"));
      if (answer !== name)
        throw new SentinelError(
          "bad_argument",
          `"${answer}" is not "${name}"; nothing was changed.`,
          `--name ${name}`,
        );
      const { group, to, export: file } = options;
      const write = file && ((lines: AsyncIterable<string>) => writePrivate(file, lines));
      await asOwner(here, options, (owner) => owner.removePerson({ group, name, to }, write));
      const rest =
        to === name
          ? "they may purge the rest once they are added again"
          : `${to} may purge the rest`;
      terminal.print(
        `Removed: ${name}. Their tokens are over, and what was private is gone; ${rest}.`,
      );
      if (file)
        terminal.tell(
          `Written: ${file}. Give it to ${name} alone; sentinel-memory sessions import reads it.`,
        );
    });
};
