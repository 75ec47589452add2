/** The server's tools and the commands on one project, in this process: a bench of many small cases would else mostly start processes. */
import { Writable } from "node:stream";
import { runCommand } from "../../src/app/cli/program.ts";

/** What a command prints that a person runs in a folder. @throws Error with its message if it fails. */
export async function runHere(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const output = new Collector();
  const errors = new Collector();
  const code = await runCommand({
    argv: [process.execPath, "sentinel-memory", "--project", folder, ...args],
    env,
    cwd: folder,
    input: process.stdin,
    output: output as unknown as NodeJS.WriteStream,
    errors: errors as unknown as NodeJS.WriteStream,
    build: folder,
  });
  if (code !== 0) {
    throw new Error(`${args.join(" ")}: ${errors.text}`);
  }
  return output.text;
}

/** A stream that keeps what is written to it. */
class Collector extends Writable {
  text = "";

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += String(chunk);
    done();
  }
}
