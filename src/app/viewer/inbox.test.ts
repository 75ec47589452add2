import { expect, it } from "vitest";
import { testProject } from "../../../test/support/in-test.ts";
import { log } from "../../../test/support/lines.ts";
import { findProject } from "../../ground/project/find-project.ts";
import { References } from "../../lessons/queries/references.ts";
import { openNotes } from "../../sessions/notes/note-log.ts";
import type { SessionCommandContext } from "../../sessions/terminal/project-log.ts";
import { openEvents, openStores } from "../stores.ts";
import { inbox, inboxActions } from "./inbox.ts";
import { SessionLog } from "./sessions.ts";

const OLD = "Staging reads replica two.";
const NEW = "Staging reads the primary since May.";

it("undoes a kept candidate, and restores the lesson that it replaced", async () => {
  const { folder, env } = await testProject({ lines: [log({ topic: "staging", lesson: OLD })] });
  const project = findProject({ flag: folder, env, cwd: folder });
  const context = {
    project,
    env,
    openEvents,
    ...openStores(project),
  } as unknown as SessionCommandContext;
  const sessions = new SessionLog(context);
  const snapshot = await context.lessons.read();
  const references = new References(snapshot);
  const note = {
    file: "a session",
    line: 1,
    topic: "staging",
    missing_context: "Which database staging uses now",
    lesson: NEW,
    replaces: snapshot.lessons().map((line) => references.full(line)),
  };
  await openNotes(context, await sessions.find()).add("extractor", [note], Date.now());
  const texts = async () =>
    (await context.lessons.read()).lessons().map(({ version }) => version.lesson);

  const [offer] = await inbox(context, sessions);
  const { keep, again } = inboxActions(context, sessions);
  await keep?.({ id: offer?.id });
  expect(await texts()).toEqual([NEW]);
  await again?.({ id: offer?.id });
  expect(await texts()).toEqual([OLD]);
  expect(await inbox(context, sessions)).toMatchObject([{ id: offer?.id }]);
});
