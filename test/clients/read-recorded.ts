/** Reads a recording as a capture does, and says what is the same whichever client wrote it. */
import { Folders } from "../../src/sessions/capture/belonging.ts";
import { CaptureReport } from "../../src/sessions/capture/report.ts";
import {
  captureTranscript,
  type LineEvents,
} from "../../src/sessions/capture/transcript-capture.ts";
import type { Content, EventDraft } from "../../src/sessions/kinds/event.ts";
import type { TranscriptReader } from "../../src/sessions/transcripts/transcript.ts";
import { captureWork } from "../support/capture-work.ts";
import { PLACE, TREE } from "./recordings.ts";

const PLACES = [PLACE, TREE];
/** What Claude Code puts before the output of a command that failed. */
const EXIT_CODE = /^Exit code \d+\n/;
/** As `opencode run` hands over what it is asked. */
const IN_QUOTES = /^"(.*)"$/;

export interface Read {
  readonly events: readonly EventDraft[];
  readonly report: CaptureReport;
}

/** @param folder where the client keeps its files. */
export async function readAll(reader: TranscriptReader, folder: string): Promise<Read> {
  const events = new Map<string | undefined, EventDraft>();
  const report = new CaptureReport();
  const folders = new Folders({ path: PLACE, hasGit: true, folder: PLACE }, PLACES);
  const emit = async ({ drafts }: LineEvents) => {
    for (const draft of drafts) {
      if (!events.has(draft.origin)) {
        events.set(draft.origin, draft);
      }
    }
  };
  for (const path of await reader.find(folder, PLACES)) {
    const work = captureWork(PLACE, emit, { folders, worktrees: PLACES, report });
    await captureTranscript({ path, reader }, work, undefined);
  }
  return { events: [...events.values()], report };
}

/** An event without ids, times, and the names that a client has for its tools. */
export function story({ events }: Read): object[] {
  return events
    .filter(({ content }) => content.event !== "title")
    .map(({ kind, actor, agent, content, refs = [] }) => ({
      kind,
      by: actor.type,
      ...(agent.includes("/") && { childAgent: true }),
      ...said(content),
      refs: refs.length,
    }));
}

function said(content: Content): object {
  const { text, path, edits, command, outcome, commit, event } = content;
  const isShown =
    content.tool === undefined || (command !== undefined && outcome !== "refused_by_user");
  return {
    ...(event !== undefined && { event }),
    ...(path !== undefined && { path }),
    ...(edits === true && { edits }),
    ...(command !== undefined && { command }),
    ...(outcome !== undefined && { outcome }),
    ...(typeof commit === "object" && { commits: (commit as Content | null)?.subject }),
    ...(typeof text === "string" && isShown && { text: ownWords(text, command) }),
  };
}

/** Clients keep more or less of a long output; the hash of a commit depends on its time. */
function ownWords(text: string, command: unknown): string {
  const said = text.replace(EXIT_CODE, "").replace(IN_QUOTES, "$1").trim();
  if (typeof command !== "string") {
    return said;
  }
  return command.startsWith("seq")
    ? `long: ${said.includes("4000")}`
    : said.replace(/[0-9a-f]{7}/, "HASH");
}
