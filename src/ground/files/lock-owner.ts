/** Notes which process owns a lock, and checks whether that process is alive. */
import {
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { tryOr } from "../core/errors.ts";
import { readJson } from "./read-files.ts";

export interface Owner {
  readonly pid: number;
  /** The start time of the process in the kernel's clock ticks, to detect a reused process id. Empty if it can't be read. */
  readonly started: string;
  /** The scope of the process id: machine, boot and process namespace. */
  readonly host: string;
  /** Identifies this acquisition of the lock. */
  readonly token: string;
}

const NOTE = "owner.json";

let host: string | undefined;
let started: string | undefined;

/** Makes a folder that contains the note of this process. */
export function createOwned(folder: string, token: string): void {
  mkdirSync(folder);
  writeFileSync(join(folder, NOTE), JSON.stringify(thisOwner(token)));
}

/** Returns the owner of a folder. Undefined if the folder, or a readable note in it, is missing. */
export function readOwner(folder: string): Owner | undefined {
  const owner = readJson(join(folder, NOTE));
  return isOwner(owner) ? owner : undefined;
}

/** Removes a folder. It tries the note first, which is faster than listing the folder, then any other content. */
export function removeOwned(folder: string): void {
  try {
    unlinkSync(join(folder, NOTE));
    rmdirSync(folder);
  } catch {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/**
 * Whether the owner is alive. Undefined if it is on another host, or if only its process id is known, which another program may have
 * reused. The heartbeat decides then.
 */
export function isAlive(owner: Owner): boolean | undefined {
  if (owner.host !== thisOwner("").host) {
    return undefined;
  }
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  const stat = processStat(owner.pid);
  if (stat?.state === "Z") {
    return false;
  }
  if (!stat || owner.started === "") {
    return undefined;
  }
  return stat.started === owner.started;
}

function thisOwner(token: string): Owner {
  host ??= [
    hostname(),
    system(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")),
    system(() => readlinkSync("/proc/self/ns/pid")),
  ].join(" ");
  started ??= processStat(process.pid)?.started ?? "";
  return { pid: process.pid, started, host, token };
}

function isOwner(value: unknown): value is Owner {
  const owner = value as Partial<Owner> | null;
  return (
    typeof owner?.pid === "number" &&
    [owner.started, owner.host, owner.token].every((part) => typeof part === "string")
  );
}

/** Returns fields 3 and 22 of /proc/PID/stat, which follow the command's closing parenthesis. Only Linux has the file. */
function processStat(pid: number): { state: string; started: string } | undefined {
  const stat = system(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, started] = [fields[0], fields[19]];
  return state && started ? { state, started } : undefined;
}

const system = (read: () => string): string => tryOr(read, "").trim();
