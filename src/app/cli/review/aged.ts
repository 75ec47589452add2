import { hash } from "node:crypto";
import { goneNames, namesGone } from "../../../lessons/looking-back/gone-names.ts";
import type { LessonStore } from "../../../lessons/store.ts";
import type { Offer } from "./offer.ts";

/** The lessons that name what left the working tree. @param folder the project's. */
export async function agedIn(lessons: LessonStore, folder: string): Promise<Offer[]> {
  const all = (await lessons.read()).lessons().map(({ version }) => version);
  const gone = await goneNames(all, folder);
  return all.flatMap((version) => {
    const names = gone.get(version.id);
    if (!names) return [];
    const { id, topic, missing_context, lesson } = version;
    const offer: Offer = {
      // Another name that goes is another reason to look at it.
      id: `c_${hash("sha256", [id, ...names].join(" ")).slice(0, 8)}`,
      aged: version,
      facts: { aged: namesGone(names), is: `sentinel-memory show ${id.slice(0, 8)}` },
      proposal: { type: "log", topic, missing_context, lesson },
      json: { from: "lesson", of: id, gone: names },
    };
    return [offer];
  });
}
