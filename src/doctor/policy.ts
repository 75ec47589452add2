/** The settings of the project and of the person: whether every value is valid, and every view can be shown. */
import { existsSync } from "node:fs";
import { readSettings } from "../active-context/settings/settings.ts";
import { type PolicyReport, placeIn, unknownKey } from "../core/policy.ts";
import { MEMORY_POLICY_NAME, readMemoryPolicy } from "../lessons/policy.ts";
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
function findings(name: string, { problems, unknown }: PolicyReport, facts = ""): Diagnosis[] {
  const found = [
    ...problems.map(({ line, message, fix }): Diagnosis => {
      return { status: "warning", what: `${placeIn(name, line)}: ${message}`, fix };
    }),
    ...unknown.map(({ key, line }): Diagnosis => {
      const what = `${placeIn(name, line)}: ${unknownKey(key)}`;
      return { status: "note", what, fix: "Correct its name, or delete that line." };
    }),
  ];
  return found.length > 0 ? found : [ok(`${name}${facts || ": nothing wrong with it"}`)];
}
