import { type CheckContext, type Diagnosis, ok } from "./diagnosis.ts";

export function checkProject({ project }: CheckContext): Diagnosis[] {
  return [ok(`Project ${project.folder}: ${project.how}`)];
}
