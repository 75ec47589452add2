import { dateOf } from "../../../ground/core/time.ts";
import { json, safeLines } from "../../../ground/terminal/layout.ts";
import type { ListedPerson } from "../../postgres/persons.ts";
import type { AddDaemonCommand } from "../../terminal/daemon-commands.ts";
import { asOwner, WITH_DATABASE } from "../../terminal/database-option.ts";

export const addList: AddDaemonCommand = (person, _open, here) => {
  const { terminal } = here;
  person
    .command("list")
    .description("list the persons")
    .option("--group <group>", "of this group only")
    .option("--json", "as JSON")
    .option(...WITH_DATABASE)
    .action(async (options) => {
      const persons = await asOwner(here, options, (owner) => owner.listPersons(options.group));
      if (options.json) return terminal.print(json(persons));
      if (persons.length === 0) return terminal.note("There is no person.");
      for (const one of persons) terminal.print(safeLines(inWords(one), "  "));
    });
};

function inWords({ group, name, createdAt, removedAt, leftTo }: ListedPerson): string {
  const removed = removedAt
    ? `, removed ${dateOf(removedAt.toISOString())}, left to ${leftTo}`
    : "";
  return `${group}, ${name}: since ${dateOf(createdAt.toISOString())}${removed}`;
}
