import type { AddDaemonCommand } from "../terminal/daemon-commands.ts";
import { asOwner, WITH_DATABASE } from "../terminal/database-option.ts";

export const addMigrate: AddDaemonCommand = (serve, _open, here) => {
  const { terminal } = here;
  serve
    .command("migrate")
    .description("create the schema of the database")
    .option("--dry-run", "check the database without changing it")
    .option(...WITH_DATABASE)
    .action(
      async ({
        dryRun,
        ...options
      }: {
        readonly dryRun?: boolean;
        readonly databaseUrl?: string;
      }) => {
        const wasMissing = await asOwner(here, options, (owner) =>
          owner.migrate(dryRun ? "plan" : "do it"),
        );
        if (!wasMissing) return terminal.print("The schema is up to date.");
        terminal.print(dryRun ? "The schema would be created." : "Created the schema.");
      },
    );
};
