/** A project in a folder of its own, in which the built commands are run as a person would. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { type Lesson, writeVersion } from "../../src/lessons/format/record.ts";
import { lessonId } from "../../src/lessons/format/record-id.ts";
import { type Ended, runProcess } from "../support/run-process.ts";

const BIN = resolve("dist/cli.mjs");

export class TestProject {
  readonly folder: string;

  constructor(...lines: readonly (Lesson | string)[]) {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), "sentinel-commands-")));
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
    if (lines.length > 0) this.write(".context/memory_log.jsonl", toFile(lines));
  }

  run(...args: readonly string[]): Promise<Ended> {
    const env = { PATH: process.env.PATH ?? "", HOME: dirname(this.folder) };
    return runProcess(process.execPath, [BIN, "--project", this.folder, ...args], { env, cwd: this.folder });
  }

  /** Runs a command that prints JSON. */
  async json(...args: readonly string[]): Promise<unknown> {
    return JSON.parse((await this.run(...args, "--json")).stdout);
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  read(path: string): string {
    return readFileSync(join(this.folder, path), "utf8");
  }

  /** The memory file's path. */
  get file(): string {
    return join(this.folder, ".context/memory_log.jsonl");
  }

  get memory(): string {
    return this.read(".context/memory_log.jsonl");
  }
}

export function toFile(lines: readonly (Lesson | string)[]): string {
  return lines.map((line) => `${typeof line === "string" ? line : writeVersion(line)}\n`).join("");
}

/** A log with an id that follows from its text. */
export function log(texts: Partial<Lesson> = {}): Lesson {
  const lesson = {
    type: "log" as const,
    topic: "payment",
    missing_context: "VAT differs by country",
    lesson: "Read the tax table first",
    meta: { created: "2026-02-27T10:30:00.000Z" },
    ...texts,
  };
  return { id: lessonId(lesson), ...lesson };
}
