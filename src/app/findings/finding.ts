/** A finding: one fact about the project, its severity, and how to fix it. */
import type { Problem } from "../../ground/core/errors.ts";
import type { Finding as MemoryFinding } from "../../lessons/health/finding.ts";
import type { LessonCommandContext } from "../../lessons/terminal/lessons.ts";
import type { ProjectFiles } from "../setup/project-files.ts";

/** `ok` means that there is no problem. */
export type Level = "ok" | MemoryFinding["level"];

export interface Finding {
  /** A stable id that scripts can match. */
  readonly id: string;
  readonly level: Level;
  readonly what: string;
  /** The command or the change that fixes it. */
  readonly fix?: string | undefined;
  /** The file with the problem, relative to the project's folder. */
  readonly file?: string | undefined;
  /** The lines of the file, from 1. */
  readonly lines?: readonly number[];
  /** Fixes the problem, if that is safe. `doctor --fix` calls it. */
  readonly repair?: (() => Promise<void>) | undefined;
}

export interface Context
  extends Pick<
    LessonCommandContext,
    "project" | "lessons" | "readPrivacy" | "env" | "cwd" | "build"
  > {
  readonly files: ProjectFiles;
}

export type Check = (context: Context) => Finding[] | Promise<Finding[]>;

const ofLevel =
  (level: Level) =>
  (id: string, what: string, fix?: string): Finding => ({ id, level, what, fix });

export const ok = ofLevel("ok");
export const note = ofLevel("note");
export const warning = ofLevel("warning");
/** Always with a fix. */
export const broken: (id: string, what: string, fix: string) => Finding = ofLevel("broken");

export const warningOf = (id: string, { what, fix }: Problem): Finding => warning(id, what, fix);
