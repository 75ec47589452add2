import { plural } from "../../../ground/core/text.ts";
import { dateOf, instantOfAge } from "../../../ground/core/time.ts";
import { folderSize } from "../../../ground/files/read-files.ts";
import type { Surroundings } from "../../../ground/terminal/command.ts";
import { inMegabytes, safeLine } from "../../../ground/terminal/layout.ts";
import { allLogs, firstOn, isOn, type KeptLog } from "../../consent/find-log.ts";
import { sessionsNow } from "../../projections/sessions.ts";
import {
  type AddSessionCommand,
  openLog,
  type SessionCommandContext,
} from "../../terminal/project-log.ts";
import { sessionRows } from "../../terminal/rows.ts";

export const addList: AddSessionCommand = (sessions, open, here) => {
  sessions
    .command("list")
    .description("list the recorded sessions")
    .option(
      "--since <age>",
      "only sessions that ended since: 30d, 12h, 4w or a date like 2026-01-31",
    )
    .option("--projects", "list the session log of each project on this machine instead")
    .option("--json", "print them as a JSON array")
    .action(async ({ since, projects, json: asJson = false }) => {
      if (projects) {
        return listProjects(here, asJson);
      }
      return listSessions(open(), since, asJson);
    });
};

async function listSessions(
  context: SessionCommandContext,
  since: string | undefined,
  asJson: boolean,
): Promise<void> {
  const { terminal } = context;
  const now = Date.now();
  const start = instantOfAge(since, now);
  const { store, manifest } = await openLog(context);
  const all = await sessionsNow(store, now);
  const summaries = all.filter(({ ended }) => Date.parse(ended) >= start);
  if (asJson) {
    return terminal.printJson(summaries);
  }
  if (all.length === 0) {
    terminal.note(isOn(manifest) ? NOTHING_YET : NOTHING_AND_OFF);
  } else if (summaries.length === 0) {
    terminal.note(`None of ${plural(all.length, "session")} is that new.`);
  }
  for (const summary of summaries) {
    terminal.print(sessionRows(summary, terminal.page).join("\n"));
  }
}

const NOTHING_YET =
  "Nothing is recorded yet. To read the transcripts your agents saved: sentinel-memory sessions capture";
const NOTHING_AND_OFF =
  "Nothing is recorded, and recording is off. To turn it on: sentinel-memory sessions on";

/** Lists logs of projects that were deleted too. */
async function listProjects({ terminal, env }: Surroundings, asJson: boolean): Promise<void> {
  const rows = (await allLogs(env)).map(rowOf);
  if (asJson) {
    return terminal.printJson(rows);
  }
  if (rows.length === 0) {
    terminal.note("This machine has no session logs.");
  }
  for (const { id, project, state, since, bytes } of rows) {
    const began = since === null ? "" : `since ${dateOf(since)}`;
    const name = project === null ? "(its manifest cannot be read)" : safeLine(project);
    terminal.print(
      `${id}  ${state.padEnd(10)}  ${inMegabytes(bytes).padStart(9)}  ${began.padEnd(16)}  ${name}`,
    );
  }
}

/** `project` is null if the manifest can't be read. `since`, when recording was first turned on, is null if unknown. */
function rowOf({ id, folder, manifest, isThere }: KeptLog) {
  const bytes = folderSize(folder);
  if (!manifest) {
    return { id, project: null, state: "unreadable", since: null, bytes };
  }
  const recording = isOn(manifest) ? "on" : "off";
  const began = firstOn(manifest);
  const since = began === undefined ? null : new Date(began).toISOString();
  return { id, project: manifest.project, state: isThere ? recording : "gone", since, bytes };
}
