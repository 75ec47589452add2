/** One transcript of Claude Code, recorded in this process: what a hook then reads of it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { capture } from "../../src/sessions/capture/capture.ts";
import { manifestText } from "../../src/sessions/consent/find-log.ts";
import { readBriefs } from "../../src/sessions/files/briefs.ts";
import { jsonlEventStore } from "../../src/sessions/files/store.ts";
import type { BriefEvent } from "../../src/sessions/kinds/event.ts";
import { eventRedactor } from "../../src/sessions/storing/redactor.ts";
import { claudeCodeReader } from "../../src/sessions/transcripts/claude-code.ts";
import { removeFolder, scratchFolder } from "../../test/support/scratch.ts";
import { transcriptFolder } from "../../test/support/transcript.ts";

const ID = "01KJ844YNTMDH6521Q517KPCB1";

interface Transcript {
  readonly session: string;
  /** The folder that it names as its own. */
  readonly cwd: string;
  readonly transcript: string;
}

/** @param now in ms since 1970. @param tell makes a text of the recent events; the scratch folder in it becomes `cwd` again. */
export async function tellOf(
  { session, cwd, transcript }: Transcript,
  now: number,
  tell: (recent: readonly BriefEvent[]) => string | undefined,
): Promise<string> {
  const home = scratchFolder("transcript");
  try {
    const project = join(home, "app");
    const clientFolder = join(home, ".claude");
    const folder = join(home, "records", ID);
    const transcripts = join(clientFolder, transcriptFolder(project));
    for (const path of [project, transcripts, folder]) {
      mkdirSync(path, { recursive: true });
    }
    const manifest = {
      format: 4,
      id: ID,
      project,
      intervals: [{ on: "2020-01-01T00:00:00.000Z" }],
      skipped: [],
    };
    writeFileSync(join(folder, "manifest.json"), manifestText(manifest));
    writeFileSync(join(transcripts, `${session}.jsonl`), transcript.replaceAll(cwd, project));
    await capture({
      record: { id: ID, folder, manifest, isWritable: true },
      home: { path: project, hasGit: false, folder: project },
      store: jsonlEventStore({ folder, redactor: eventRedactor(), now: () => now }),
      now,
      readers: [{ reader: claudeCodeReader, clientFolder }],
    });
    return (tell(await readBriefs(folder, "recent", now)) ?? "").replaceAll(project, cwd);
  } finally {
    removeFolder(home);
  }
}
