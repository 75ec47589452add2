import { orElse } from "../../ground/core/errors.ts";
import { INCLUDES_AGENTS } from "../../lessons/hooks/digested.ts";
import type { ProjectFiles } from "./project-files.ts";

/** Whether a reader of this file also gets what stands in AGENTS.md. */
export function includesAgents(path: string, files: ProjectFiles): boolean {
  if (path === "AGENTS.md" || !files.exists("AGENTS.md") || !files.exists(path)) return false;
  // The plan reads the file again, and reports what is wrong with it.
  return orElse(() => files.isSame(path, "AGENTS.md") || INCLUDES_AGENTS.test(files.read(path) ?? ""), false);
}
