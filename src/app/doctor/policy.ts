/** The settings of the project and of the person: whether every value is valid, and every view can be shown. */
import { existsSync } from "node:fs";
import { type PolicyReport, policyFindings } from "../../ground/core/policy.ts";
import { MEMORY_POLICY_NAME, readMemoryPolicy } from "../../lessons/policy.ts";
import { readSettings } from "../../sessions/bundle/settings/settings.ts";
import { type CheckContext, type Diagnosis, ok } from "./diagnosis.ts";

export async function checkPolicy({ project }: CheckContext): Promise<Diagnosis[]> {
  const memory = await readMemoryPolicy(project.context);
  const values = Object.entries(memory.values).map(([key, value]) => `${key} ${value}`);
  const { files } = await readSettings(project);
  const isThere = existsSync(project.context.memoryPolicy) || memory.problems.length > 0;
  return [
    ...(isThere ? findings(MEMORY_POLICY_NAME, memory, `: ${values.join(", ")}`) : []),
    ...files.flatMap((file) => findings(file.name, file)),
  ];
}

/** What is wrong with a file, or that nothing is. */
function findings(name: string, report: PolicyReport, facts = ": nothing wrong with it"): Diagnosis[] {
  const found = policyFindings(name, report).map(({ what, fix, isIgnored }): Diagnosis => {
    return { status: isIgnored ? "note" : "warning", what, fix };
  });
  return found.length > 0 ? found : [ok(`${name}${facts}`)];
}
