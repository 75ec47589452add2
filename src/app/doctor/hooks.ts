/** When each agent's hooks last ran. A hook that the agent doesn't run reports nothing itself. */
import type { Client } from "../../ground/clients/client.ts";
import { plural } from "../../ground/core/text.ts";
import { LOCAL_FILES } from "../../ground/project/context-folder.ts";
import { readGiven } from "../../lessons/hooks/given-log.ts";
import { readHookErrors } from "../../lessons/hooks/hook-errors.ts";
import { readSessions } from "../../lessons/hooks/session-file.ts";
import { LOCAL } from "../setup/init-manifest.ts";
import { type CheckContext, type Diagnosis, note, ok } from "./diagnosis.ts";
import { clientsInUse } from "./init-files.ts";

export function checkHooks({ project, files }: CheckContext): Diagnosis[] {
  const { local } = project.context;
  const sessions = Object.values(readSessions(local));
  const given = readGiven(local);
  const withHooks = clientsInUse(files).filter(
    ({ hooks }) => hooks !== undefined && files.exists(hooks.path),
  );
  const lasts = withHooks.map((client) =>
    lastOf(client, latest(sessions, client), latest(given, client)),
  );
  return [...lasts, ...errorsIn(readHookErrors(local))];
}

/** The latest time in a list for one agent, in ms since 1970. */
function latest(
  all: readonly { readonly agent?: string; readonly at: number }[],
  { name }: Client,
): number | undefined {
  const times = all.filter(({ agent }) => agent === name).map(({ at }) => at);
  return times.length === 0 ? undefined : Math.max(...times);
}

function lastOf({ name }: Client, hook: number | undefined, lesson: number | undefined): Diagnosis {
  const lastLesson = lesson === undefined ? "no lesson given yet" : `last lesson ${timeOf(lesson)}`;
  if (hook !== undefined) return ok(`${name}: last hook ${timeOf(hook)}, ${lastLesson}`);
  return note(
    `${name}: no hook ran in the last 7 days, ${lastLesson}`,
    `Start a session in ${name}, send a prompt, and call doctor again. If this line stays, ${name} does not run the hooks`,
  );
}

const timeOf = (ms: number): string =>
  `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;

function errorsIn(lines: readonly string[]): Diagnosis[] {
  const last = lines.at(-1);
  if (last === undefined) return [];
  return [
    note(
      `${plural(lines.length, "hook call")} failed and got no answer, the last one: ${last}`,
      `Read all of them in ${LOCAL}/${LOCAL_FILES.hookErrors}. Remove the file once you know their causes`,
    ),
  ];
}
