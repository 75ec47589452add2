/** Checks when each agent's hooks last ran. A hook that never runs can't report a problem itself. */
import type { Client } from "../../ground/clients/client.ts";
import { plural } from "../../ground/core/text.ts";
import { minuteOf } from "../../ground/core/time.ts";
import { LOCAL_FILES } from "../../ground/project/context-folder.ts";
import { readGiven } from "../../lessons/hooks/given-log.ts";
import { readHookErrors } from "../../lessons/hooks/hook-errors.ts";
import { readSessions } from "../../lessons/hooks/session-file.ts";
import { LOCAL } from "../setup/plan.ts";
import { type Context, type Finding, note, ok, warning } from "./finding.ts";
import { clientsInUse } from "./set-up.ts";

/** Below this number of sessions, hooks that never reached the server may be a coincidence. */
const SILENT_SESSIONS = 3;

export function checkHooks({ project, files }: Context): Finding[] {
  const { local } = project.context;
  const sessions = Object.values(readSessions(local));
  const given = readGiven(local);
  const found: Finding[] = [];
  for (const client of clientsInUse(files)) {
    if (client.hooks === undefined || !files.exists(client.hooks.path)) {
      continue;
    }
    found.push(lastRun(client, latest(sessions, client), latest(given, client)));
  }
  const served = sessions.flatMap((session) => session.served ?? []);
  // While the server isn't connected, clients silently skip hooks that call it.
  if (served.length >= SILENT_SESSIONS && !served.includes(true)) {
    found.push(neverServed(served.length));
  }
  const errors = readHookErrors(local);
  const last = errors.at(-1);
  if (last !== undefined) {
    found.push(failedCalls(errors.length, last));
  }
  return found;
}

/** Returns the latest time in a list for one agent, in ms since 1970. */
function latest(
  all: readonly { readonly agent?: string; readonly at: number }[],
  { name }: Client,
): number | undefined {
  const times = all.filter(({ agent }) => agent === name).map(({ at }) => at);
  return times.length === 0 ? undefined : Math.max(...times);
}

function lastRun({ name }: Client, hook: number | undefined, lesson: number | undefined): Finding {
  const lastLesson = lesson === undefined ? "no lesson given yet" : `last lesson ${timeOf(lesson)}`;
  if (hook !== undefined) {
    return ok("hooks_run", `${name}: last hook ${timeOf(hook)}, ${lastLesson}`);
  }
  return note(
    "no_hook_ran",
    `${name}: no hook ran in the last 7 days, ${lastLesson}`,
    `Start a session in ${name}, send a prompt, and call doctor again. If this line stays, ${name} does not run the hooks, or only at actions, and no lesson matched one`,
  );
}

const timeOf = (ms: number): string => `${minuteOf(new Date(ms).toISOString())} UTC`;

function neverServed(sessions: number): Finding {
  return warning(
    "hooks_not_served",
    `no hook of the last ${sessions} sessions reached the server, so lessons came at their start alone`,
    "claude mcp list shows whether the server is connected. Approve it in claude with /mcp",
  );
}

function failedCalls(count: number, last: string): Finding {
  return note(
    "hooks_failed",
    `${plural(count, "hook call")} failed and got no answer, the last one: ${last}`,
    `Read all of them in ${LOCAL}/${LOCAL_FILES.hookErrors}. Remove the file once you know their causes`,
  );
}
