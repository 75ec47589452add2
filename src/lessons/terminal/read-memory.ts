import type { Add, ProjectSurroundings } from "../../ground/terminal/command.ts";
import type { Terminal } from "../../ground/terminal/terminal.ts";
import { fileReport } from "../answers/file-report.ts";
import { redactionNotes } from "../answers/redaction-notes.ts";
import type { Prepared } from "../changes/draft.ts";
import type { FileReport } from "../format/file-lines.ts";
import type { Snapshot } from "../merge/fold.ts";
import { type MemoryPolicy, memoryPolicyNotes, readMemoryPolicy } from "../policy.ts";
import type { LessonStore } from "../store.ts";

/** What a command about lessons works with. */
export interface LessonCommandContext extends ProjectSurroundings {
  readonly lessons: LessonStore;
}

export type AddLessonCommand = Add<LessonCommandContext>;

/** Reads the memory, and notes what is wrong with it. */
export async function readMemory(context: LessonCommandContext): Promise<Snapshot> {
  const snapshot = await context.lessons.read();
  await noteMemory(context, snapshot);
  return snapshot;
}

/** Notes on standard error which lines cannot be read, or that there is nothing. */
export async function noteMemory(context: LessonCommandContext, snapshot: Snapshot): Promise<void> {
  const { unrecognised } = await noteLines(context, snapshot);
  if (snapshot.count === 0 && unrecognised.length === 0)
    context.terminal.note(`The memory of this project is empty (${context.lessons.location}).`);
}

/** Notes on standard error which lines cannot be read: enough where something is put in. */
export async function noteLines(
  { lessons, terminal }: LessonCommandContext,
  snapshot: Snapshot,
): Promise<FileReport> {
  const report = await lessons.report();
  for (const text of fileReport(snapshot, report)) terminal.note(text);
  return report;
}

/** Reads the project's policy for its memory, and reports its problems on standard error. */
export async function readPolicy({
  project,
  terminal,
}: LessonCommandContext): Promise<MemoryPolicy["values"]> {
  const policy = await readMemoryPolicy(project.context);
  for (const note of memoryPolicyNotes(policy)) terminal.note(note);
  return policy.values;
}

/** Says on standard error what was taken out of a text before it was saved. */
export function noteRedactions(terminal: Terminal, redactions: Prepared["redactions"]): void {
  for (const note of redactionNotes(redactions)) terminal.note(note);
}
