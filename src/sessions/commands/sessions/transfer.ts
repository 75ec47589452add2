import { basename, dirname, join, resolve } from "node:path";
import { SentinelError, tryOr } from "../../../ground/core/errors.ts";
import { plural } from "../../../ground/core/text.ts";
import { linesOf } from "../../../ground/files/append-log.ts";
import { canonicalPath, isFolder, isWithin } from "../../../ground/files/paths.ts";
import { writePrivate } from "../../../ground/files/private-file.ts";
import { readBytes } from "../../../ground/files/read-files.ts";
import { STAGING } from "../../../ground/files/replace-file.ts";
import { mustReadGit, seenBy } from "../../../ground/project/git.ts";
import { safeLine } from "../../../ground/terminal/layout.ts";
import { readCaptureState } from "../../capture/capture-state.ts";
import { noteFormat } from "../../consent/change-log.ts";
import { mustBeOn } from "../../consent/find-log.ts";
import { type Event, isOwn } from "../../kinds/event.ts";
import { checkDraft } from "../../storing/check-draft.ts";
import { draftOfExported, exportLines } from "../../storing/exported.ts";
import { notStored } from "../../storing/prepare.ts";
import { type AddSessionCommand, lookForUsable, openLog } from "../../terminal/project-log.ts";

export const addExport: AddSessionCommand = (sessions, open) => {
  sessions
    .command("export")
    .description("write the session log to a file")
    .argument("<file>", "the file to write, which must not exist yet")
    .action(async (file: string) => {
      const context = open();
      const { store, manifest } = await openLog(context);
      // A link in the path would keep git from judging it.
      const given = resolve(context.cwd, file);
      const folder = dirname(given);
      const path = join(isFolder(folder) ? canonicalPath(folder) : folder, basename(given));
      // The staging file has a longer name, which git could see.
      const seen = await seenBy(context.project.folder, [path, `${path}${STAGING}`]);
      if (!seen && isWithin(context.project.folder, path)) {
        await mustReadGit(context.project.folder);
      }
      if (seen?.length) {
        throw new SentinelError(
          "bad_argument",
          `git would take ${path} along, and it would hold all that agents saw here.`,
          "Name a file outside the repository, or in a folder that git ignores.",
        );
      }
      const counts = { events: 0, artifacts: 0 };
      await writePrivate(file, exportLines(manifest, [store], counts));
      const written = `${plural(counts.events, "event")} and ${plural(counts.artifacts, "artifact")}`;
      context.terminal.print(
        `Written: ${written}, to ${file}. It holds all that agents saw here: keep it out of git.`,
      );
    });
};

export const addImport: AddSessionCommand = (sessions, open) => {
  sessions
    .command("import")
    .description("add the events of a file that sessions export wrote")
    .argument("<file>", "a file that sessions export wrote")
    .option("--yes", "do not ask")
    .action(async (file: string, { yes }) => {
      const context = open();
      const { terminal, project, openEvents, readPrivacy } = context;
      const found = await lookForUsable(context);
      const { record } = mustBeOn(found);
      const { from, events, artifacts, others, refused } = await readExported(
        resolve(context.cwd, file),
      );
      const question = `This adds ${plural(events.length, "event")} of ${safeLine(from)} to the session log of ${project.folder}. Add them?`;
      const why = "What another machine recorded is added only if you agree.";
      if (!yes && !(await terminal.mustConfirm(question, why))) {
        return terminal.note("Nothing was added.");
      }
      await noteFormat(record);
      const store = openEvents(record.folder, (await readPrivacy()).forStoring());
      const progress = terminal.progress("Adding events");
      const counts = { added: 0, known: 0, purged: 0 };
      const leftOut = new Set([
        ...record.manifest.skipped,
        ...readCaptureState(record.folder).privateSessions,
      ]);
      const wanted = events.filter(({ session }) => !leftOut.has(session));
      for (let at = 0; at < wanted.length; at += BATCH) {
        const some = wanted.slice(at, at + BATCH);
        const drafts = some.map((event) => draftOfExported(event, artifacts));
        const fresh = await notStored(drafts, store);
        const stored = await store.append(fresh);
        const added = stored.filter((event) => event !== undefined).length;
        counts.known += some.length - fresh.length;
        counts.added += added;
        counts.purged += stored.length - added;
        progress(at + some.length, wanted.length);
      }
      while (await store.prepareSearch()) {}
      terminal.print(
        `Added: ${plural(counts.added, "event")}; ${counts.known} were there already.`,
      );
      const left = [
        [counts.purged, "purged here"],
        [events.length - wanted.length, "of sessions that you left out"],
        [others, "of other people"],
        [refused, "no events that this release knows"],
      ] as const;
      for (const [count, why] of left) {
        if (count > 0) {
          terminal.print(`Not added, ${why}: ${count}.`);
        }
      }
    });
};

/** The number of events to look up and store at once. */
const BATCH = 200;

/**
 * @returns the user's own events and their artifacts, and the number of lines of `others` and of `refused` lines. @throws SentinelError
 * `not_found`, `bad_argument`.
 */
async function readExported(path: string) {
  const bytes = await readBytes(path);
  if (!bytes) {
    throw new SentinelError(
      "not_found",
      `No file is at ${path}.`,
      "Name a file that sessions export wrote.",
    );
  }
  const [first, ...lines] = [...linesOf(bytes)].map((line) =>
    tryOr(() => JSON.parse(line.toString()), undefined),
  );
  if (typeof first?.record?.project !== "string") {
    throw new SentinelError(
      "bad_argument",
      `${path} is not a session log that was exported.`,
      "Name a file that sentinel-memory sessions export wrote.",
    );
  }
  const artifacts = lines
    .map((line) => line?.artifact)
    .filter((artifact) => typeof artifact?.text === "string");
  const events = lines.map((line) => line?.event).filter(isEvent);
  const own = events.filter(isOwn);
  return {
    /** The folder of the exported project. */
    from: first.record.project as string,
    events: own,
    artifacts: new Map<string, string>(artifacts.map(({ id, text }) => [id, text])),
    others: events.length - own.length,
    refused: lines.length - artifacts.length - events.length,
  };
}

function isEvent(event: Event | undefined): event is Event {
  return tryOr(() => {
    checkDraft(event as Event);
    return event?.id !== undefined;
  }, false);
}
