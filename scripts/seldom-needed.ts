/** Stands in hooks for modules of Node that few events need: each is loaded at its first use. A hook that needs another name of them does not build. */
const cryptography = (): typeof import("node:crypto") => process.getBuiltinModule("node:crypto");
const processes = (): typeof import("node:child_process") =>
  process.getBuiltinModule("node:child_process");
const timers = (): typeof import("node:timers/promises") =>
  process.getBuiltinModule("node:timers/promises");

export const createHash = late(cryptography, "createHash");
export const hash = late(cryptography, "hash");
export const randomBytes = late(cryptography, "randomBytes");
export const randomUUID = late(cryptography, "randomUUID");
export const execFile = late(processes, "execFile");
export const execFileSync = late(processes, "execFileSync");
export const spawn = late(processes, "spawn");
export const setTimeout = late(timers, "setTimeout");

/** The library that cleans up at an exit asks whether it was given a function; ours give one. */
export const equal = (): void => undefined;

function late<Module, Name extends keyof Module>(load: () => Module, name: Name): Module[Name] {
  const call = (...args: unknown[]) => (load()[name] as (...args: unknown[]) => unknown)(...args);
  return call as Module[Name];
}
