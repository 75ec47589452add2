/** Changes lessons like `edit`, `forget` and `restore` do. Each answer contains the call that undoes it. */
import { SentinelError } from "../../ground/core/errors.ts";
import { NO_OWN_WORDS } from "../../ground/redaction/own-words.ts";
import { redactionNotes } from "../../lessons/answers/file-report.ts";
import { prepareReason } from "../../lessons/changes/draft.ts";
import type { Lesson } from "../../lessons/format/lesson.ts";
import { whenText } from "../../lessons/format/when-text.ts";
import { planRestore } from "../../lessons/jsonl/restorable.ts";
import { versionReference } from "../../lessons/queries/references.ts";
import type { LessonStore } from "../../lessons/store.ts";
import { correctLesson } from "../../lessons/terminal/correct.ts";
import type { Action, ViewerContext } from "./viewer.ts";

/** The outcome of a change. */
export interface Done {
  readonly said: string;
  /** The id of the lesson to show now. */
  readonly id?: string;
  /** The call that undoes the change. */
  readonly undo?: { readonly call: string; readonly body: object };
  /** The target of a purge that needs confirmation. */
  readonly purge?: object;
}

const FIELDS = ["topic", "missing_context", "lesson", "ask_next_time", "when"] as const;

/** The fields that an edit may empty. */
const CLEARABLE: readonly string[] = ["ask_next_time", "when"];

export function lessonActions(context: ViewerContext): Record<string, Action> {
  const { lessons, readPrivacy } = context;
  return {
    edit: async (body): Promise<Done> => {
      const ref = textIn(body, "ref") ?? "";
      const { version, saved, redactions } = await correctLesson(
        context,
        await lessons.read(),
        ref,
        (now) => {
          const changes: Record<string, string> = {};
          for (const name of FIELDS) {
            const text = textIn(body, name);
            // Leave an unchanged `when` as it is, because it may have keys of a later release.
            const isSame = name === "when" && text === whenText(now.when);
            if (text === undefined || isSame) continue;
            const isCleared = CLEARABLE.includes(name) && text.trim() === "";
            changes[name] = isCleared ? "none" : text;
          }
          return changes;
        },
      );
      const { id } = saved.line.version;
      if (saved.isRepeated) return { said: "Nothing was changed.", id };
      const said = ["Saved.", ...redactionNotes(redactions)].join(" ");
      return { said, id, undo: await takingBack(version, lessons) };
    },
    forget: async (body): Promise<Done> => {
      const id = textIn(body, "id") ?? "";
      const reason = textIn(body, "reason") ?? "";
      const words = reason === "" ? NO_OWN_WORDS : (await readPrivacy()).forStoring();
      await lessons.forget([id], prepareReason(reason, words).reason);
      return { said: "Forgotten.", undo: { call: "restore", body: { id } } };
    },
    restore: async (body): Promise<Done> => {
      const [snapshot, removed] = await Promise.all([lessons.read(), lessons.removed()]);
      const plan = planRestore(textIn(body, "id") ?? "", removed, snapshot);
      const { chosen = [], inThePlace = [] } = plan ?? {};
      const [first] = chosen;
      if (first === undefined)
        throw new SentinelError(
          "not_found",
          "This text is there already, or nowhere here.",
          "Load the page again.",
        );
      const before = snapshot.shown(first.id)[0]?.version ?? inThePlace[0];
      const instead = inThePlace.map(({ id }) => id);
      await lessons.restore(chosen, instead);
      if (chosen.length > 1) return { said: "Brought back.", id: first.id };
      const undo = before
        ? await takingBack(before, lessons)
        : { call: "forget", body: { id: first.id } };
      return { said: "Brought back.", id: first.id, undo };
    },
  };
}

/** Returns a field of a call's body, or undefined if it's absent. @throws SentinelError `bad_argument` if it isn't a string. */
export function textIn(body: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || typeof value === "string") return value;
  throw new SentinelError("bad_argument", `${name} is not a text.`, "Load the page again.");
}

/** Returns the call that restores a replaced version. */
async function takingBack(
  version: Lesson,
  lessons: LessonStore,
): Promise<NonNullable<Done["undo"]>> {
  const all = (await lessons.removed()).map(({ lesson }) => lesson);
  return { call: "restore", body: { id: versionReference(version, [version, ...all]) } };
}
