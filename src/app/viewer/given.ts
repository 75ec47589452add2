/** The lessons that hooks gave to agents on this machine: when, in which session, by which trigger, and for how many tokens. */
import { groupBy } from "../../ground/core/collections.ts";
import { instantOf, type Lesson, revisionOf } from "../../lessons/format/lesson.ts";
import { readGiven } from "../../lessons/hooks/given-log.ts";
import type { ViewerContext } from "./viewer.ts";

export type GivenRow = Awaited<ReturnType<typeof givenLessons>>[number];

/** Returns them newest first. Each lesson has its text from that time, if this machine still has it. */
export async function givenLessons({ lessons, project }: ViewerContext) {
  const snapshot = await lessons.read();
  const removed = groupBy(await lessons.removed(), ({ lesson }) => lesson.id);
  const instant = ({ meta }: Lesson) => instantOf(revisionOf(meta));
  const rows = readGiven(project.context.local).map(({ ids, ...given }) => ({
    ...given,
    lessons: ids.map((id) => {
      const now = snapshot.shown(id)[0]?.version;
      const known = [...(now ? [now] : []), ...(removed.get(id) ?? []).map(({ lesson }) => lesson)];
      const [then = now] = known
        .filter((one) => instant(one) <= given.at)
        .sort((a, b) => instant(b) - instant(a));
      const since = !now
        ? "not in the memory any more"
        : then?.lesson === now.lesson
          ? ""
          : "changed since";
      return { id, topic: then?.topic ?? "", lesson: then?.lesson ?? "", since };
    }),
  }));
  return rows.reverse();
}

/** Returns when a lesson was given, in ms since 1970, newest first. @param local the project's local folder. */
export const givenTimes = (local: string, id: string): readonly number[] =>
  readGiven(local)
    .filter(({ ids }) => ids.includes(id))
    .map(({ at }) => at)
    .reverse();
