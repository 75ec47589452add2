import { dateOf } from "../../../ground/core/time.ts";
import { folderSize } from "../../../ground/files/folder-size.ts";
import { inMegabytes, json, safeLine } from "../../../ground/terminal/layout.ts";
import { allLogs, type KeptLog } from "../../consent/all-logs.ts";
import { firstOn, isOn } from "../../consent/manifest.ts";
import type { AddSessionCommand } from "../../terminal/project-log.ts";

export const addList: AddSessionCommand = (record, _open, { terminal, env, cwd }) => {
  record
    .command("list")
    .description("show all session logs of this machine, also those whose project is gone")
    .option("--json", "print them as a JSON array")
    .action(async (options) => {
      const rows = (await allLogs(env, cwd)).map(rowOf);
      if (options.json) return terminal.print(json(rows));
      if (rows.length === 0) terminal.note("This machine has no session logs.");
      for (const { id, project, state, since, bytes } of rows) {
        const began = since === null ? "" : `since ${dateOf(since)}`;
        const name = project === null ? "(its manifest cannot be read)" : safeLine(project);
        terminal.print(
          `${id}  ${state.padEnd(10)}  ${inMegabytes(bytes).padStart(9)}  ${began.padEnd(16)}  ${name}`,
        );
      }
    });
};

/** `project` is null where the manifest cannot be read; `since`, when it was first turned on, where nobody knows. */
function rowOf({ id, folder, manifest, isThere }: KeptLog) {
  const state = !manifest ? "unreadable" : !isThere ? "gone" : isOn(manifest) ? "on" : "off";
  const began = manifest && firstOn(manifest);
  const since = began === undefined ? null : new Date(began).toISOString();
  return { id, project: manifest?.project ?? null, state, since, bytes: folderSize(folder) };
}
