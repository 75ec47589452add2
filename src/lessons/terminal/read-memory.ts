import type { Add, ProjectSurroundings } from "../../ground/terminal/command.ts";
import type { Terminal } from "../../ground/terminal/terminal.ts";
import { fileReport, redactionNotes } from "../answers/file-report.ts";
import type { Prepared } from "../changes/draft.ts";
import type { FileReport } from "../format/file-lines.ts";
import type { Snapshot } from "../merge/versions.ts";
import { type MemoryPolicy, memoryPolicyNotes, readMemoryPolicy } from "../policy.ts";
import type { LessonStore } from "../store.ts";

/** The context of commands about lessons. */
export interface LessonCommandContext extends ProjectSurroundings {
  readonly lessons: LessonStore;
}

export type AddLessonCommand = Add<LessonCommandContext>;

/** Reads the memory, and notes its problems. */
export async function readMemory(context: LessonCommandContext): Promise<Snapshot> {
  const snapshot = await context.lessons.read();
  await noteMemory(context, snapshot);
  return snapshot;
}

/** Notes on standard error which lines cannot be read, or that the memory is empty. */
export async function noteMemory(context: LessonCommandContext, snapshot: Snapshot): Promise<void> {
  const { unrecognised } = await noteLines(context);
  if (snapshot.count === 0 && unrecognised.length === 0) {
    context.terminal.note(`The memory of this project is empty (${context.lessons.location}).`);
  }
}

/** Notes on standard error which lines cannot be read. Use it before a save, when an empty memory is not worth a note. */
export async function noteLines({ lessons, terminal }: LessonCommandContext): Promise<FileReport> {
  const report = await lessons.report();
  for (const text of fileReport(report)) {
    terminal.note(text);
  }
  return report;
}

/** Reads the project's policy for its memory, and reports its problems on standard error. */
export async function readPolicy({
  project,
  terminal,
}: LessonCommandContext): Promise<MemoryPolicy["values"]> {
  const policy = await readMemoryPolicy(project.context);
  for (const note of memoryPolicyNotes(policy)) {
    terminal.note(note);
  }
  return policy.values;
}

/** Notes on standard error which parts of a text were redacted before it was saved. */
export function noteRedactions(terminal: Terminal, redactions: Prepared["redactions"]): void {
  for (const note of redactionNotes(redactions)) {
    terminal.note(note);
  }
}
