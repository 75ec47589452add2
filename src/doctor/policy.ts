/** The project's policy for its memory: whether every value is valid. */
import { existsSync } from "node:fs";
import { placeIn, unknownKey } from "../core/policy.ts";
import { MEMORY_POLICY_NAME, readMemoryPolicy } from "../lessons/policy.ts";
import { type CheckContext, type Diagnosis, ok } from "./diagnosis.ts";

export async function checkPolicy({ project }: CheckContext): Promise<Diagnosis[]> {
  const { values, problems, unknown } = await readMemoryPolicy(project.context);
  const found = [
    ...problems.map(({ line, message, fix }): Diagnosis => {
      return { status: "warning", what: `${placeIn(MEMORY_POLICY_NAME, line)}: ${message}`, fix };
    }),
    ...unknown.map(({ key, line }): Diagnosis => {
      const what = `${placeIn(MEMORY_POLICY_NAME, line)}: ${unknownKey(key)}`;
      return { status: "note", what, fix: "Correct its name, or delete that line." };
    }),
  ];
  if (found.length > 0 || !existsSync(project.context.memoryPolicy)) return found;
  const settings = Object.entries(values).map(([key, value]) => `${key} ${value}`);
  return [ok(`${MEMORY_POLICY_NAME}: ${settings.join(", ")}`)];
}
