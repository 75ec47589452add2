import { SentinelError } from "../../ground/core/errors.ts";
import { plural } from "../../ground/core/text.ts";
import { cut, type Page, safeLine } from "../../ground/terminal/layout.ts";
import type { Spell } from "../../ground/terminal/shell.ts";
import { sourcesToRetire } from "../changes/forget.ts";
import { type Lesson, timesMet } from "../format/lesson.ts";
import { findRestorable, planRestore, type Restorable, sourcesLeft } from "../jsonl/restorable.ts";
import { lessonsIn, type Removed } from "../jsonl/trash.ts";
import type { Snapshot } from "../merge/fold.ts";
import { findId, versionReference, versionsNamed } from "../queries/references.ts";
import { inShort, texts, whenAndWhy } from "../terminal/lessons.ts";
import type { AddLessonCommand } from "../terminal/read-memory.ts";

const MOST_LISTED = 30;

export const addRestore: AddLessonCommand = (program, open) => {
  program
    .command("restore")
    .description("bring back a forgotten, compacted or replaced lesson")
    .argument(
      "[id]",
      "id of a lesson, id@version for that text, or id of a principle for its sources (default: list what can be restored)",
    )
    .option("--yes", "do not ask, even before replacing a present text")
    .action(async (id: string | undefined, { yes }) => {
      const { lessons, terminal, spelt } = open();
      const snapshot = await lessons.read();
      const removed = await lessons.removed();
      const all = lessonsIn(removed);
      if (id === undefined)
        return terminal.print(list(findRestorable(removed, snapshot), all, terminal.page, spelt));
      const { chosen, inThePlace } = planRestore(id, removed, snapshot);
      if (chosen.length === 0) {
        if (!isKnown(removed, snapshot, id))
          throw new SentinelError(
            "not_found",
            `"${safeLine(id)}" does not name one lesson or version in the trash of this machine.`,
            "Call restore without an id to see what there is, and give more digits.",
          );
        return terminal.print(
          "Nothing to restore: the memory has this already, with the same text.",
        );
      }

      const present = [
        ...chosen.flatMap(({ id }) => snapshot.shown(id).map(({ version }) => version)),
        ...inThePlace,
      ];
      if (present.length > 0) terminal.print(bothTexts(present, chosen));
      for (const note of consequences(chosen, inThePlace, snapshot, terminal.page, spelt))
        terminal.print(note);
      if (!yes && present.length > 0) {
        const why = "This replaces the present text, and this isn't a terminal that can ask.";
        if (!(await terminal.mustConfirm("Replace the present text?", why))) return;
      } else if (!yes && terminal.isInteractive) {
        for (const lesson of chosen) terminal.print(inShort(lesson, terminal.page));
        if (!(await terminal.confirm("Bring this back?"))) return;
      }
      const insteadOf = inThePlace.map(({ id }) => id);
      for (const { version } of await lessons.restore(chosen, insteadOf)) {
        terminal.print(`Restored: ${inShort(version, terminal.page)}`);
      }
      for (const version of inThePlace)
        terminal.print(`Taken out: ${inShort(version, terminal.page)}`);
      terminal.print("Commit the memory file, so that the team has this too.");
    });
};

/** Whether the trash has versions of one lesson of this name, or of what was compacted into one; or trash or memory the version that it names. */
function isKnown(removed: readonly Removed[], snapshot: Snapshot, name: string): boolean {
  const here = snapshot.lessons().map(({ version }) => version);
  const versions = versionsNamed(name, [...lessonsIn(removed), ...here]);
  if (versions) return versions.length === 1;
  const compacted = removed.filter(
    ({ because }) => because === "compacted" || because === "replaced",
  );
  const ids = [lessonsIn(removed).map((lesson) => lesson.id), compacted.map(({ by }) => by)];
  return ids.some((some) => "id" in findId(some, name));
}

function bothTexts(present: readonly Lesson[], chosen: readonly Lesson[]): string {
  const described = (heading: string) => (lesson: Lesson) => {
    return [
      heading,
      `  ${safeLine(lesson.topic)}, met ${plural(timesMet(lesson), "time")}`,
      ...texts(lesson),
    ];
  };
  return [
    ...present.flatMap(described("Present text")),
    ...chosen.flatMap(described("Text to restore")),
  ].join("\n");
}

/** What else the restoration does: it retires sources again, and leaves lessons that stand for others too. */
function consequences(
  lessons: readonly Lesson[],
  taken: readonly Lesson[],
  snapshot: Snapshot,
  page: Page,
  spelt: Spell,
): string[] {
  const retired = lessons.flatMap((lesson) =>
    sourcesToRetire(snapshot, lesson).map(({ version }) => {
      return `Retired again by the ${lesson.type === "log" ? "correction" : "principle"}: ${inShort(version, page)}`;
    }),
  );
  const restored = new Set(lessons.map(({ id }) => id));
  const others = snapshot.lessons().map(({ version }) => version);
  const standing = others.filter((version) => {
    const isLeft = !restored.has(version.id) && !taken.includes(version);
    return isLeft && Object.keys(version.meta.sources ?? {}).some((source) => restored.has(source));
  });
  return [
    ...retired,
    ...standing.map((version) => stays(version, restored, snapshot, page, spelt)),
  ];
}

/** A lesson stays when some of its sources come back: it may say what no other lesson here says. */
function stays(
  standing: Lesson,
  restored: ReadonlySet<string>,
  snapshot: Snapshot,
  page: Page,
  spelt: Spell,
): string {
  const { hidden, unlisted } = sourcesLeft(standing, restored, snapshot);
  const name = standing.type === "log" ? "lesson that took its place" : "principle made from this";
  const lines = [
    `The ${name} stays too: ${inShort(standing, page)}`,
    spelt(`To remove it: sentinel-memory forget ${standing.id}`),
  ];
  if (hidden.length > 0) {
    const ids = hidden.slice(0, MOST_LISTED).map(safeLine).join(", ");
    lines.push(
      `Then nothing shows what ${plural(hidden.length, "more source")} of it said: ${ids}`,
    );
  }
  if (unlisted > 0) {
    lines.push(
      `It was also made from ${plural(unlisted, "older lesson")} that it no longer lists and this can't bring back.`,
    );
  }
  return lines.join("\n");
}

function list(
  { gone, earlier }: Restorable,
  all: readonly Lesson[],
  page: Page,
  spelt: Spell,
): string {
  if (gone.length + earlier.length === 0)
    return "Nothing to restore: the trash of this machine holds no other text.";
  return [
    ...section("Not in the memory any more", gone, all, page, spelt),
    ...section("Earlier texts, which restore brings back by id@version", earlier, all, page, spelt),
  ].join("\n");
}

function section(
  heading: string,
  entries: readonly Removed[],
  all: readonly Lesson[],
  page: Page,
  spelt: Spell,
): string[] {
  if (entries.length === 0) return [];
  const rows = entries.slice(0, MOST_LISTED).map((entry) => {
    const { lesson } = entry;
    const text = `${lesson.topic}: ${lesson.lesson}`;
    return cut(
      safeLine(`${whenAndWhy(entry).padEnd(42)} ${versionReference(lesson, all)}  ${text}`),
      page.width,
    );
  });
  const left = entries.length - rows.length;
  const more =
    left > 0 ? [spelt(`and ${left} older: sentinel-memory show ID lists those of a lesson`)] : [];
  return [page.colours.bold(heading), ...rows, ...more];
}
