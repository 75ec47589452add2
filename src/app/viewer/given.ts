/** The lessons that hooks gave to agents on this machine: when, in which session, by which trigger, and for how many tokens. */
import { readGiven } from "../../lessons/hooks/given-log.ts";
import type { ViewerContext } from "./viewer.ts";

export type GivenRow = Awaited<ReturnType<typeof givenLessons>>[number];

/** The newest first; a lesson that the memory shows no more has no text. */
export async function givenLessons({ lessons, project }: ViewerContext) {
  const snapshot = await lessons.read();
  const rows = readGiven(project.context.local).map(({ ids, ...given }) => ({
    ...given,
    lessons: ids.map((id) => {
      const { topic = "", lesson = "" } = snapshot.shown(id)[0]?.version ?? {};
      return { id, topic, lesson };
    }),
  }));
  return rows.reverse();
}

/** When one lesson was given, in ms since 1970, the newest first. @param local the project's local folder. */
export const givenTimes = (local: string, id: string): readonly number[] =>
  readGiven(local)
    .filter(({ ids }) => ids.includes(id))
    .map(({ at }) => at)
    .reverse();
