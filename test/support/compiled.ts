/** The environment of a program that a test starts: it takes its compiled code from an earlier start; see compiled.cjs. */
import { rmSync } from "node:fs";
import * as nodeModule from "node:module";
import { resolve } from "node:path";

/** Newer versions of Node keep the code by themselves. */
const isKept = "enableCompileCache" in nodeModule;

export const COMPILED = {
  NODE_OPTIONS: isKept ? "" : `--require ${resolve("test/support/compiled.cjs")}`,
};

/** Once a run, before its first test: what an earlier build left is of no use. */
export function forgetCompiled(): void {
  rmSync("node_modules/.cache/sentinel-memory", { recursive: true, force: true, maxRetries: 5 });
}
