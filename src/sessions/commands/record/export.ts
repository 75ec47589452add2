import { createWriteStream } from "node:fs";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { SentinelError } from "../../../ground/core/errors.ts";
import { plural } from "../../../ground/core/text.ts";
import { newFileError } from "../../../ground/files/named-file.ts";
import { seenBy } from "../../../ground/project/git.ts";
import type { LogManifest } from "../../consent/manifest.ts";
import type { EventStore } from "../../store.ts";
import { artifactsOf } from "../../storing/mentions.ts";
import { openLog } from "../../terminal/project-log.ts";
import type { AddSessionCommand, SessionCommandContext } from "../../terminal/session-command.ts";

export const addExport: AddSessionCommand = (record, open) => {
  record
    .command("export")
    .description("write all that is recorded into one file of JSON lines, for nobody else to read")
    .argument("<file>", "the file to write; it must not be there yet")
    .action((file) => exportLog(open(), file));
};

/** Anybody who gets the file can read everything: it belongs to the person alone, like the session log. */
const FILE_MODE = 0o600;

async function exportLog(context: SessionCommandContext, file: string): Promise<void> {
  const { terminal } = context;
  const { store, manifest } = await openLog(context);
  const path = resolve(context.cwd, file);
  if ((await seenBy(context.project.folder, [path]))?.length)
    throw new SentinelError(
      "bad_argument",
      `git would take ${path} along, and it would hold all that agents saw here.`,
      "Name a file outside the repository, or one that git ignores.",
    );
  const counts = { events: 0, artifacts: 0 };
  try {
    const lines = Readable.from(linesOf(manifest, store, counts));
    await pipeline(lines, createWriteStream(path, { flags: "wx", mode: FILE_MODE }));
  } catch (error) {
    throw newFileError(error, file);
  }
  const written = `${plural(counts.events, "event")} and ${plural(counts.artifacts, "artifact")}`;
  terminal.print(`Written: ${written}, to ${file}. It holds all that agents saw here: keep it out of git.`);
}

/** A line for the session log, one for each event, and one for each text that was cut, behind the first event that names it. */
async function* linesOf(
  manifest: LogManifest,
  store: EventStore,
  counts: { events: number; artifacts: number },
): AsyncGenerator<string> {
  yield line({ record: manifest });
  const written = new Set<string>();
  for await (const event of store.read()) {
    counts.events += 1;
    yield line({ event });
    for (const id of artifactsOf(event)) {
      if (written.has(id)) continue;
      written.add(id);
      const text = await store.artifact(id);
      if (text === undefined) continue;
      counts.artifacts += 1;
      yield line({ artifact: { id, text } });
    }
  }
}

const line = (value: object): string => `${JSON.stringify(value)}\n`;
