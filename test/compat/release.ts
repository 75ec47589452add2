/** An earlier release in a test: its bundle, unpacked, and the repository that it left behind. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, onTestFinished } from "vitest";
import { Project } from "../support/project.ts";
import { type Ended, runProcess } from "../support/run-process.ts";
import { UNHURRIED } from "../support/unhurried.ts";
import { hookOf, storedBundle, storedProject, writeTexts } from "./archive.ts";

/** The bundle of this version, as it is shipped. */
export const CURRENT = resolve("dist");

export class Release {
  readonly #version: string;
  /** The folder of its bundle. */
  readonly bundle: string;

  /** Unpacks a stored release for the tests of a `describe` block, in whose body it is made. */
  constructor(version: string) {
    this.#version = version;
    this.bundle = mkdtempSync(join(tmpdir(), "sentinel-compat-"));
    afterAll(() => rmSync(this.bundle, { recursive: true, force: true, maxRetries: 3 }));
    writeTexts(this.bundle, storedBundle(version));
  }

  /** A repository as the release left it, in which the package has been updated to this version; it goes with the test. */
  async repository(): Promise<Project> {
    const repository = await Project.repository(storedProject(this.#version));
    onTestFinished(() => repository.remove());
    await repository.install();
    return repository;
  }

  /** Runs the command line of the release. */
  run({ folder, env }: Project, ...args: readonly string[]): Promise<Ended> {
    return runProcess(process.execPath, [join(this.bundle, "cli.mjs"), ...args], {
      env,
      cwd: folder,
    });
  }
}

/** Runs the hook of a bundle, as Claude Code does; its answer, or an empty text. */
export async function runHook(
  bundle: string,
  { folder, env }: Project,
  event: string,
  more: object,
): Promise<string> {
  const stdin = JSON.stringify({ hook_event_name: event, cwd: folder, ...more });
  const place = { env: { ...env, ...UNHURRIED }, cwd: folder, stdin };
  const { exit, stdout } = await runProcess(process.execPath, [hookOf(bundle)], place);
  expect(exit).toBe(0);
  return stdout;
}
