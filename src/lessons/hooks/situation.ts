/** The facts that a hook decides by when an event comes, and its decision. */
import type { HookEvent, HookProtocol } from "../../ground/clients/hook-event.ts";
import { oneLine } from "../../ground/core/text.ts";
import { branchOf } from "../../ground/project/git.ts";
import type { FileReport } from "../format/file-lines.ts";
import { whenOf } from "../format/when.ts";
import type { Snapshot } from "../merge/versions.ts";
import type { MemoryPolicy } from "../policy.ts";
import type { FailedCommand, Session } from "./session-file.ts";

export interface Situation {
  readonly event: HookEvent;
  /** The protocol of the client that sent the event. */
  readonly client: HookProtocol;
  /** The project's folder. */
  readonly project: string;
  /** The file that is read or edited, relative to the project. Undefined for a file outside of it. */
  readonly file: string | undefined;
  /** The prompt before a follow-up. Empty for another event, or if it can't be read. */
  readonly promptBefore: string;
  readonly session: Session;
  /** Whether any lesson has a `when`. Every call of an agent asks it, because a search of the bytes costs far less than parsing them. */
  readonly hasTriggers: () => boolean;
  /** Reads the memory. Called only by events that need it. */
  readonly read: () => Promise<Snapshot>;
  readonly report: () => Promise<FileReport>;
  /** Reads the project's policy. Called only by the start of a session. */
  readonly readPolicy: () => Promise<MemoryPolicy>;
  /** Whether the user or the team lets lessons block a call. */
  readonly holds: () => Promise<boolean>;
  /** The signature of the command that just failed. */
  readonly failed: FailedCommand | undefined;
  /** In ms since 1970. */
  readonly now: number;
  /** Whether the user wants a reminder at the end of a turn. */
  readonly remind: boolean;
}

export interface Response {
  readonly session: Session;
  /** The JSON to print, or nothing. */
  readonly output?: object;
  /** The lessons in it, why, and the text that it costs. */
  readonly given?: {
    readonly ids: readonly string[];
    readonly trigger: string;
    readonly text: string;
  };
}

/** Returns the branch if any lesson depends on it. With a detached HEAD, it starts git. */
export async function branchFor(snapshot: Snapshot, project: string): Promise<string | undefined> {
  const isNeeded = snapshot.lessons().some(({ version }) => {
    const { branches, not } = whenOf(version);
    return branches !== undefined || not?.branches !== undefined;
  });
  return isNeeded ? branchOf(project) : undefined;
}

/** Cleans a file name before the model reads it, because a name may contain any text. */
export const plainName = (file: string): string =>
  oneLine(file).replaceAll("<", "\u2039").slice(0, 80);
