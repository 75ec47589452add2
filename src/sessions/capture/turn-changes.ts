/** What changed while a turn ran and no call said, as through a shell: git says which files differ, the time of each whether it was then. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { git } from "../../ground/project/git.ts";
import type { EventDraft } from "../kinds/event.ts";
import type { Said } from "../transcripts/transcript.ts";

export type TurnEnd = Extract<Said, { kind: "turn-end" }>;

/** Clients and file systems round times. */
const LEEWAY_MS = 1_000;
const CHANGED = "These files were last changed while the turn ran.";

export class TurnChanges {
  /** Paths by worktree, each with the time of its last change in ms since 1970. */
  readonly #changed = new Map<string, Promise<ReadonlyMap<string, number>>>();
  /** Those that calls of this turn said. */
  #said = new Set<unknown>();

  /** Remembers which files the events of a line name as changed. */
  notice(events: readonly EventDraft[]): void {
    for (const { kind, content } of events)
      if (kind === "tool_result" && content.edits === true && content.outcome === undefined)
        for (const path of [content.path, content.other_paths ?? []].flat()) this.#said.add(path);
  }

  /** The files that were changed in a turn and that nothing said, as the content of an event. @param ended in ms since 1970. */
  async at({ began }: TurnEnd, ended: number, worktree: string): Promise<EventDraft["content"] | undefined> {
    const said = this.#said;
    this.#said = new Set();
    const from = Date.parse(began) - LEEWAY_MS;
    const all = this.#changed.get(worktree) ?? changedIn(worktree);
    this.#changed.set(worktree, all);
    const [path, ...others] = [...(await all)].flatMap(([file, at]) =>
      at >= from && at <= ended + LEEWAY_MS && !said.has(file) ? [file] : [],
    );
    if (path === undefined) return undefined;
    return { tool: "git", path, ...(others.length > 0 && { other_paths: others }), edits: true, text: CHANGED };
  }
}

/** Without the locks that git takes to speed up the next time: an agent may be at work. */
async function changedIn(worktree: string): Promise<ReadonlyMap<string, number>> {
  const options = ["--porcelain", "-z", "--untracked-files=all", "--no-renames"];
  const { status, text } = await git(worktree, "--no-optional-locks", "status", ...options);
  const files = new Map<string, number>();
  for (const line of status === 0 ? text.split("\0") : []) {
    const path = line.slice(3);
    const info = path === "" ? undefined : await stat(join(worktree, path)).catch(() => undefined);
    if (info?.isFile()) files.set(path, info.mtimeMs);
  }
  return files;
}
