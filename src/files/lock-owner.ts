/**
 * Who holds a lock, told so that another process can see whether that one still lives.
 */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

export interface Owner {
  readonly pid: number;
  /** When the process started, in the kernel's clock ticks; tells a reused process id. Empty where it cannot be had. */
  readonly started: string;
  /** Where its process id means something: machine, boot and process namespace. */
  readonly host: string;
  /** Names this one taking of the lock. */
  readonly token: string;
}

let host: string | undefined;
let started: string | undefined;

/** This process, as the owner of a lock. */
export function thisOwner(token: string): Owner {
  host ??= [hostname(), system(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")), processNamespace()].join(
    " ",
  );
  started ??= processStat(process.pid)?.started ?? "";
  return { pid: process.pid, started, host, token };
}

/** Whether the owner lives; undefined when it is of another host and cannot be asked. */
export function isAlive(owner: Owner): boolean | undefined {
  if (owner.host !== thisOwner("").host) return undefined;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  const stat = processStat(owner.pid);
  if (!stat) return true;
  return stat.state !== "Z" && (owner.started === "" || stat.started === owner.started);
}

/** Fields 3 and 22 of /proc/PID/stat, which follow the command's closing parenthesis; only Linux has the file. */
function processStat(pid: number): { state: string; started: string } | undefined {
  const stat = system(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state, started] = [fields[0], fields[19]];
  return state && started ? { state, started } : undefined;
}

function processNamespace(): string {
  return system(() => readlinkSync("/proc/self/ns/pid"));
}

function system(read: () => string): string {
  try {
    return read().trim();
  } catch {
    return "";
  }
}
