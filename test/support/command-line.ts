/** The command line inside a test's own process, whose outputs lead nowhere. */
import { PassThrough } from "node:stream";
import type { Command } from "commander";
import { createProgram, type Start } from "../../src/app/cli/program.ts";

export function commandLine(): Command {
  const start: Start = {
    argv: ["node", "sentinel-memory"],
    env: {},
    cwd: "/",
    input: process.stdin,
    output: new PassThrough() as unknown as NodeJS.WriteStream,
    errors: new PassThrough() as unknown as NodeJS.WriteStream,
    build: "/",
  };
  return createProgram(start).program;
}
