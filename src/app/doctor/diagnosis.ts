import type { Problem } from "../../ground/core/errors.ts";
import type { ProjectSurroundings } from "../../ground/terminal/command.ts";
import type { Finding } from "../../lessons/health/finding.ts";
import type { ProjectFiles } from "../setup/project-files.ts";

/** The levels of a finding, and `ok` where there is none. */
export type Status = "ok" | Finding["level"];

export interface Diagnosis {
  readonly status: Status;
  /** What was looked at, and its state. */
  readonly what: string;
  readonly fix?: string | undefined;
  /** Carries the fix out, where that is safe; `--fix` calls it. */
  readonly repair?: () => Promise<void>;
}

export interface CheckContext
  extends Pick<ProjectSurroundings, "project" | "env" | "cwd" | "build"> {
  readonly files: ProjectFiles;
}

export type Check = (context: CheckContext) => Diagnosis[] | Promise<Diagnosis[]>;

export const ok = (what: string): Diagnosis => ({ status: "ok", what });
export const note = (what: string, fix?: string): Diagnosis => ({ status: "note", what, fix });
/** Reports what leaves the memory usable. */
export const warning = (what: string, fix?: string): Diagnosis => ({
  status: "warning",
  what,
  fix,
});
export const broken = (what: string, fix: string): Diagnosis => ({ status: "broken", what, fix });
export const warningOf = ({ what, fix }: Problem): Diagnosis => warning(what, fix);
