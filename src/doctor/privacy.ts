/** The files of own words: whether each of them can be read, for without that nothing is stored. */
import { placeIn } from "../core/policy.ts";
import { plural } from "../core/text.ts";
import { privacyOf } from "../project/privacy.ts";
import { type CheckContext, type Diagnosis, ok } from "./diagnosis.ts";

export async function checkPrivacy({ project }: CheckContext): Promise<Diagnosis[]> {
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
    return found.length > 0 ? found : [ok(`${name}: ${counts}`)];
  });
}
