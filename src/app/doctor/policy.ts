/** Whether every setting of the project and the person is valid, and every view can be shown. */
import { existsSync } from "node:fs";
import { type PolicyReport, policyFindings } from "../../ground/core/policy.ts";
import { plural } from "../../ground/core/text.ts";
import { privacyOf } from "../../ground/project/privacy.ts";
import { MEMORY_POLICY_NAME, readMemoryPolicy } from "../../lessons/policy.ts";
import { readSettings } from "../../sessions/bundle/settings/settings.ts";
import { findLog } from "../../sessions/consent/find-log.ts";
import { type CheckContext, type Diagnosis, ok, type Status } from "./diagnosis.ts";

/** A word is taken out of what is stored from then on: what is recorded already stays as it is. */
const RECORDED_BEFORE = "; sentinel-memory sessions purge --text WORD removes earlier events";

export async function checkPolicy({ project }: CheckContext): Promise<Diagnosis[]> {
  const memory = await readMemoryPolicy(project.context);
  const values = Object.entries(memory.values).map(([key, value]) => `${key} ${value}`);
  const { files } = await readSettings(project);
  const isThere = existsSync(project.context.memoryPolicy) || memory.problems.length > 0;
  return [
    ...(isThere
      ? findings({ name: MEMORY_POLICY_NAME, ...memory }, "warning", values.join(", "))
      : []),
    ...files.flatMap((file) => findings(file, "warning", "nothing wrong with it")),
  ];
}

export async function checkPrivacy({ project, env }: CheckContext): Promise<Diagnosis[]> {
  const isRecorded = (await findLog(project.folder, env)).record !== undefined;
  const { files } = await privacyOf(project)();
  return files.flatMap((file) => {
    const counts = `${plural(file.words.length, "word")} and ${plural(file.patterns.length, "pattern")}`;
    return findings(
      file,
      "broken",
      `${counts} that are never stored${isRecorded ? RECORDED_BEFORE : ""}`,
    );
  });
}

/** Reports each problem of a file, or its facts where it has none. */
function findings(
  file: PolicyReport & { readonly name: string },
  status: Status,
  facts: string,
): Diagnosis[] {
  const found = policyFindings(file.name, file).map(({ what, fix, isIgnored }): Diagnosis => {
    return { status: isIgnored ? "note" : status, what, fix };
  });
  return found.length > 0 ? found : [ok(`${file.name}: ${facts}`)];
}
