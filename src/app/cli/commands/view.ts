/** The memory and the session log in a browser; or the lessons as one file, for a reviewer who has nothing of this installed. */
import { writeText } from "../../../ground/files/named-file.ts";
import { exportHtml } from "../../viewer/export-html.ts";
import { routesOf } from "../../viewer/routes.ts";
import type { AddCommand, CommandContext } from "../command.ts";

interface Options {
  readonly readOnly?: boolean;
  readonly open: boolean;
  readonly export?: string;
}

export const addView: AddCommand = (program, open) => {
  program
    .command("view")
    .description("open one page in the browser: what agents knew, when, and why")
    .option("--read-only", "change nothing")
    .option("--no-open", "print the address, which is good for one use, and start no browser")
    .option(
      "--export <file>",
      "instead, write lessons, conflicts and history as one HTML file, which must not be there yet",
    )
    .action((options: Options) => view(open(), options));
};

async function view(context: CommandContext, { readOnly = false, open, export: path }: Options): Promise<void> {
  const viewer = await context.loadViewer();
  if (path === undefined) return viewer.serve(routesOf(context, readOnly), { ...context, open });
  await writeText(path, await exportHtml(context.lessons, viewer.style()));
  context.terminal.note(`Written: ${path}`);
}
