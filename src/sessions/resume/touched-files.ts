/** The files that a session touched, and whether they were committed later. Pure. */
import { type BriefEvent, sessionKey } from "../kinds/event.ts";
import { pathsIn, textsIn } from "../kinds/kind.ts";
import { isAmong } from "../kinds/texts/staged.ts";

export interface TouchedFile {
  readonly id: string;
  readonly path: string;
  readonly isEdited: boolean;
  /** Whether any session committed it later. */
  readonly isCommitted: boolean;
}

export interface Commit {
  /** ISO 8601. */
  readonly ts: string;
  readonly staged: readonly string[] | undefined;
}

/** Commits of all sessions, each with its staged files, or undefined if no command listed any. @param events in order of time. */
export function commitsIn(events: readonly BriefEvent[]): Commit[] {
  const waiting = new Map<string, string[]>();
  return events.flatMap((event) => {
    const { staged, commits } = event.content;
    if (staged === undefined && commits !== true) return [];
    const added = [...(waiting.get(sessionKey(event)) ?? []), ...textsIn(staged)];
    waiting.set(sessionKey(event), commits === true ? [] : added);
    return commits === true ? [{ ts: event.ts, staged: added.length > 0 ? added : undefined }] : [];
  });
}

/** The last touched first. @param events of one session, in order of time. */
export function filesIn(events: readonly BriefEvent[], commits: readonly Commit[]): TouchedFile[] {
  const files = new Map<string, TouchedFile>();
  const changedAt = new Map<string, string>();
  const isCommitted = (path: string) => {
    const at = changedAt.get(path);
    return (
      at !== undefined &&
      commits.some(({ ts, staged }) => ts >= at && (!staged || isAmong(staged, path)))
    );
  };
  for (const { id, ts, kind, content } of events) {
    if (kind !== "tool_result" || content.outcome !== undefined) continue;
    for (const path of pathsIn(content)) {
      const isEdited = content.edits === true || files.get(path)?.isEdited === true;
      files.delete(path);
      files.set(path, { id, path, isEdited, isCommitted: false });
      if (content.edits === true) changedAt.set(path, ts);
    }
  }
  return [...files.values()]
    .reverse()
    .map((file) => ({ ...file, isCommitted: isCommitted(file.path) }));
}
