/** Shows the memory and the session log in a browser, or exports the lessons as one file for a reviewer without this program. */
import { writeText } from "../../../ground/files/read-files.ts";
import type { AddSessionCommand } from "../../../sessions/terminal/project-log.ts";
import { exportHtml } from "../../viewer/export-html.ts";
import { routesOf } from "../../viewer/routes.ts";
import { serveViewer, viewerStyle } from "../../viewer/serve-viewer.ts";

export const addView: AddSessionCommand = (program, open) => {
  program
    .command("view")
    .description("open the memory in the browser")
    .option("--read-only", "change nothing")
    .option("--no-open", "print an address that works once, and start no browser")
    .option("--export <file>", "write lessons, conflicts and history as one new HTML file instead")
    .action(async ({ readOnly = false, open: startsBrowser, export: path }) => {
      const context = open();
      if (path === undefined) {
        return serveViewer(routesOf(context, readOnly), context, startsBrowser);
      }
      await writeText(path, await exportHtml(context.lessons, viewerStyle(context.build)));
      context.terminal.note(`Written: ${path}`);
    });
};
