import type { AddDaemonCommand } from "../terminal/daemon-commands.ts";
import { asOwner, WITH_DATABASE } from "../terminal/database-option.ts";

export const addMigrate: AddDaemonCommand = (serve, _open, here) => {
  const { terminal } = here;
  serve
    .command("migrate")
    .description("update the schema of the database")
    .option("--dry-run", "list the changes without making them")
    .option(...WITH_DATABASE)
    .action(
      async ({
        dryRun,
        ...options
      }: {
        readonly dryRun?: boolean;
        readonly databaseUrl?: string;
      }) => {
        const names = await asOwner(here, options, (owner) =>
          owner.migrate(dryRun ? "plan" : "do it"),
        );
        if (names.length === 0) return terminal.print("The schema is up to date.");
        terminal.print(`${dryRun ? "To be applied" : "Applied"}: ${names.join(", ")}.`);
      },
    );
};
