/** The files of own words: whether each of them can be read, for without that nothing is stored. */
import { placeIn } from "../../ground/core/policy.ts";
import { plural } from "../../ground/core/text.ts";
import { privacyOf } from "../../ground/project/privacy.ts";
import { findLog } from "../../sessions/consent/find-log.ts";
import { type CheckContext, type Diagnosis, ok } from "./diagnosis.ts";

/** A word is taken out of what is stored from then on: what is recorded already stays as it is. */
const RECORDED_BEFORE = "; sentinel-memory record purge --text WORD takes out what was recorded before";

export async function checkPrivacy({ project, env }: CheckContext): Promise<Diagnosis[]> {
  const isRecorded = (await findLog(project.folder, env)).record !== undefined;
  const { files } = await privacyOf(project)();
  return files.flatMap(({ name, words, patterns, problems, ignored }): Diagnosis[] => {
    const found = [
      ...problems.map(({ line, message, fix }): Diagnosis => {
        return { status: "broken", what: `${placeIn(name, line)}: ${message}`, fix };
      }),
      ...ignored.map(({ line, what }): Diagnosis => {
        return { status: "note", what: `${placeIn(name, line)}: ${what}`, fix: "Correct that line, or delete it." };
      }),
    ];
    const counts = `${plural(words.length, "word")} and ${plural(patterns.length, "pattern")} that are never stored`;
    return found.length > 0 ? found : [ok(`${name}: ${counts}${isRecorded ? RECORDED_BEFORE : ""}`)];
  });
}
