/** Shows the memory and the session log in a browser, or exports the lessons as one file for a reviewer without this program. */
import { writeText } from "../../../ground/files/named-file.ts";
import { exportHtml } from "../../viewer/export-html.ts";
import { routesOf } from "../../viewer/routes.ts";
import type { AddCommand } from "../command.ts";

export const addView: AddCommand = (program, open) => {
  program
    .command("view")
    .description("open the memory in the browser")
    .option("--read-only", "change nothing")
    .option("--no-open", "print the address, which is good for one use, and start no browser")
    .option(
      "--export <file>",
      "instead, write lessons, conflicts and history as one HTML file, which must not be there yet",
    )
    .action(async ({ readOnly = false, open: startsBrowser, export: path }) => {
      const context = open();
      const viewer = await context.loadViewer();
      if (path === undefined)
        return viewer.serve(routesOf(context, readOnly), { ...context, open: startsBrowser });
      await writeText(path, await exportHtml(context.lessons, viewer.style()));
      context.terminal.note(`Written: ${path}`);
    });
};
