/** What doctor says about one thing. */
import type { Project } from "../project/find-project.ts";
import type { ProjectFiles } from "../setup/project-files.ts";

export type Status = "ok" | "note" | "warning" | "broken";

export interface Diagnosis {
  readonly status: Status;
  /** What was looked at and how it is. */
  readonly what: string;
  /** What to do about it. */
  readonly fix?: string;
  /** Does it, where that can harm nothing: `--fix` calls it. */
  readonly repair?: () => Promise<void>;
}

/** What a check looks at. */
export interface CheckContext {
  readonly project: Project;
  readonly files: ProjectFiles;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where somebody reads what is said, and pastes the fixes. */
  readonly cwd: string;
}

export type Check = (context: CheckContext) => Diagnosis[] | Promise<Diagnosis[]>;

export function ok(what: string): Diagnosis {
  return { status: "ok", what };
}
