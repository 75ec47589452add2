/** Imports lessons of another memory, or finds notes that `review` then offers as lessons. */
import { Option } from "commander";
import { SentinelError } from "../../../ground/core/errors.ts";
import { firstWords, plural, present } from "../../../ground/core/text.ts";
import { localMinute } from "../../../ground/core/time.ts";
import type { OwnWords } from "../../../ground/redaction/own-words.ts";
import { cut, safeLine } from "../../../ground/terminal/layout.ts";
import { whenText } from "../../../lessons/format/when-text.ts";
import { importFile } from "../../../lessons/terminal/import-file.ts";
import { findNotes } from "../../../sessions/notes/find-notes.ts";
import {
  type FoundNote,
  NOTE_SOURCES,
  type NoteSource,
  type UncheckedNote,
} from "../../../sessions/notes/note.ts";
import { type NoteLog, openNotes } from "../../../sessions/notes/note-log.ts";
import { askExtractor } from "../../../sessions/terminal/ask-extractor.ts";
import type {
  AddSessionCommand,
  SessionCommandContext,
} from "../../../sessions/terminal/project-log.ts";
import { lookForLog } from "../../../sessions/terminal/project-log.ts";
import { lessonsAbout } from "../../review/existing.ts";
import { draftOrNone } from "../../review/offers.ts";

/** The most places to list. */
const MOST_PLACES = 5;

interface Options {
  readonly from?: NoteSource;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export const addImport: AddSessionCommand = (program, open) => {
  program
    .command("import")
    .description("merge another memory into this one")
    .argument(
      "[file]",
      "a memory_log.jsonl (the original Sentinel's too), or the output of export --json",
    )
    .addOption(
      new Option(
        "--from <name>",
        "collect notes of this agent, the rules files or your extractor for review instead",
      ).choices(NOTE_SOURCES),
    )
    .option("--dry-run", "show what would be imported without importing it")
    .option("--yes", "let your extractor read parts of this project's sessions without asking")
    .action((file: string | undefined, { from, ...options }: Options) => {
      if (file !== undefined && from === undefined) {
        return importFile(open(), file, options);
      }
      if (from === "extractor" && options.dryRun) {
        throw new SentinelError(
          "bad_argument",
          "A dry run would give the extractor a session.",
          "Leave --dry-run out.",
        );
      }
      if (file === undefined && from !== undefined) {
        return importNotes(open(), from, options);
      }
      const fix = `Give a file, or --from ${NOTE_SOURCES.join("|")}.`;
      throw new SentinelError("bad_argument", "An import takes either a file or --from.", fix);
    });
};

/** Finds notes and stores them for review. Saves no lessons. */
async function importNotes(
  context: SessionCommandContext,
  from: NoteSource,
  { dryRun = false, yes = false }: Options,
): Promise<void> {
  const { project, terminal, readPrivacy } = context;
  const words = (await readPrivacy()).forStoring();
  const found = await lookForLog(context);
  const log = openNotes(context, found);
  let count = 0;
  if (from === "extractor") {
    const snapshot = await context.lessons.read();
    const about = (text: string, mostTokens: number) =>
      lessonsAbout(text, snapshot, mostTokens, localMinute(Date.now()));
    for await (const notes of askExtractor(context, yes, words, about)) {
      count += await take(context, log, from, notes, words, false);
    }
  } else {
    const { notes, told } = await lookForNotes(from, project.folder, {
      places: found.places,
      words,
    });
    for (const line of told) {
      terminal.note(safeLine(line));
    }
    count = await take(context, log, from, notes, words, dryRun);
  }
  const waits = count === 1 ? "waits" : "wait";
  const verb = dryRun ? "would wait" : waits;
  terminal.tell(
    `${plural(count, "note")} ${verb} on this machine: sentinel-memory review. None is a lesson yet.`,
  );
}

/** Prints notes and stores them for review. @returns the number of notes that wait, or would in a dry run. */
async function take(
  { terminal }: SessionCommandContext,
  log: NoteLog,
  from: NoteSource,
  notes: readonly UncheckedNote[],
  words: OwnWords,
  dryRun: boolean,
): Promise<number> {
  const clean: FoundNote[] = [];
  for (const note of notes) {
    const one = cleaned(note, words);
    if (one) {
      clean.push(one);
    }
  }
  for (const { file, line, lesson, when } of clean) {
    const by = when ? `  [${whenText(when)}]` : "";
    terminal.print(
      cut(safeLine(`${file}:${line}  ${firstWords(lesson)}${by}`), terminal.page.width),
    );
  }
  const refused = notes.length - clean.length;
  if (refused > 0) {
    terminal.note(`Skipped ${plural(refused, "note")} that can't be saved as lessons.`);
  }
  if (clean.length === 0) {
    return 0;
  }
  const now = Date.now();
  return dryRun ? (await log.undecided(from, clean, now)).length : log.add(from, clean, now);
}

/** Finds notes. @returns them, and messages about the places that were read and the statements that were left out. */
async function lookForNotes(
  from: Exclude<NoteSource, "extractor">,
  folder: string,
  by: Parameters<typeof findNotes>[2],
) {
  const { notes, looked, left } = await findNotes(from, folder, by);
  const more = looked.length > MOST_PLACES ? ` and ${looked.length - MOST_PLACES} more` : "";
  const places = looked.slice(0, MOST_PLACES).join(", ");
  const told = present(
    places === "" ? "Found nothing to read." : `Looked in ${places}${more}.`,
    left > 0 && `Left out: ${left} ${LEFT_OUT}`,
  );
  return { notes, told };
}

const LEFT_OUT =
  "(not a rule, or a rule without a file that exists, a forbidden command or an error).";

/** Returns a note with its texts redacted as for a save. Undefined if a save would refuse it. */
function cleaned({ when, ...note }: UncheckedNote, words: OwnWords): FoundNote | undefined {
  const said = { type: "log", ...note } as const;
  let draft = draftOrNone({ ...said, when }, words);
  // An extractor's `when` may be invalid even if the lesson is good.
  if (!draft && typeof when === "string") {
    draft = draftOrNone(said, words);
  }
  if (!draft) {
    return undefined;
  }
  const { topic, missing_context, lesson, when: checked } = draft;
  return { ...note, topic, missing_context, lesson, when: checked };
}
