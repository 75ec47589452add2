/** A turn of a local agent of Cursor in a project, with a script in the place of its model. */
import { join } from "node:path";
import type { Project } from "../../support/project.ts";
import { runProcess } from "../../support/run-process.ts";
import { CACHE } from "../agents.ts";
import { type BackendOptions, CursorBackend, type Run } from "./backend.ts";
import type { Step } from "./steps.ts";

const NODE = join(CACHE, "node_modules/node/bin/node");
const DRIVER = join(import.meta.dirname, "drive.mjs");

export const PROMPT = "Work on billing and VAT";

interface Manner extends BackendOptions {
  /** The folder that Cursor has open, from the project's. */
  readonly below?: string;
}

/** @throws Error where the agent does not end well. */
export async function cursorTurn(
  project: Project,
  script: readonly Step[],
  { below = ".", ...options }: Manner = {},
): Promise<readonly Run[]> {
  const backend = await CursorBackend.listen(script, options);
  try {
    const cwd = project.path(below);
    const { exit, stdout, stderr } = await runProcess(
      NODE,
      [DRIVER, JSON.stringify({ packages: CACHE, cwd, prompt: PROMPT })],
      { cwd, env: { ...project.env, SHELL: "/bin/bash", CURSOR_BACKEND_URL: backend.url } },
    );
    if (exit !== 0 || !stdout.includes('"status":"finished"')) {
      throw new Error(`Cursor ended with ${exit}: ${stdout}${stderr.slice(0, 2_000)}`);
    }
    return backend.runs;
  } finally {
    backend.close();
  }
}
