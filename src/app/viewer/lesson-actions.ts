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
import { correctLesson } from "../../lessons/terminal/lessons.ts";
import type { SessionCommandContext } from "../../sessions/terminal/project-log.ts";

/** A call's body: the JSON object that the page sent. */
type Body = Readonly<Record<string, unknown>>;

/** A call that changes something. */
export type Action = (body: Body) => Promise<Done>;

/** A call for the page to make. */
export interface Call {
  readonly call: string;
  readonly body: object;
}

/** The outcome of a change. */
export interface Done {
  readonly said: string;
  /** The id of the lesson to show now. */
  readonly id?: string;
  /** The call that undoes the change. */
  readonly undo?: Call;
  /** The target of a purge that needs confirmation. */
  readonly purge?: object;
}

const FIELDS = ["topic", "missing_context", "lesson", "ask_next_time", "when"] as const;

/** The fields that an edit may empty. */
const CLEARABLE: readonly string[] = ["ask_next_time", "when"];

/** The changes of lessons, by the name of their call. */
export function lessonActions(context: SessionCommandContext): Record<string, Action> {
  return {
    edit: (body) => edit(context, body),
    forget: (body) => forget(context, body),
    restore: (body) => restore(context, body),
  };
}

async function edit(context: SessionCommandContext, body: Body): Promise<Done> {
  const { lessons } = context;
  const snapshot = await lessons.read();
  const { version, saved, redactions } = await correctLesson(
    context,
    snapshot,
    textIn(body, "ref") ?? "",
    (now) => changesIn(body, now),
  );
  const { id } = saved.line.version;
  if (saved.isRepeated) {
    return { said: "Nothing was changed.", id };
  }
  const said = ["Saved.", ...redactionNotes(redactions)].join(" ");
  return { said, id, undo: await bringBack(version, lessons) };
}

/** Returns the fields of an edit that differ from the lesson. */
function changesIn(body: Body, now: Lesson): Record<string, string> {
  const changes: Record<string, string> = {};
  for (const name of FIELDS) {
    const text = textIn(body, name);
    if (text === undefined) {
      continue;
    }
    // Leave an unchanged `when` as it is, because it may have keys of a later release.
    if (name === "when" && text === whenText(now.when)) {
      continue;
    }
    const isCleared = CLEARABLE.includes(name) && text.trim() === "";
    changes[name] = isCleared ? "none" : text;
  }
  return changes;
}

async function forget({ lessons, readPrivacy }: SessionCommandContext, body: Body): Promise<Done> {
  const id = textIn(body, "id") ?? "";
  const reason = textIn(body, "reason") ?? "";
  const words = reason === "" ? NO_OWN_WORDS : (await readPrivacy()).forStoring();
  await lessons.forget([id], prepareReason(reason, words).reason);
  return { said: "Forgotten.", undo: { call: "restore", body: { id } } };
}

async function restore({ lessons }: SessionCommandContext, body: Body): Promise<Done> {
  const said = "Brought back.";
  const [snapshot, removed] = await Promise.all([lessons.read(), lessons.removed()]);
  const plan = planRestore(textIn(body, "id") ?? "", removed, snapshot);
  const [first, ...others] = plan?.chosen ?? [];
  if (plan === undefined || first === undefined) {
    const what = "This text is current already, or isn't on this machine.";
    throw new SentinelError("not_found", what, "Load the page again.");
  }
  const { chosen, inThePlace } = plan;
  const { id } = first;
  const before = snapshot.shown(id)?.version ?? inThePlace[0];
  await lessons.restore(
    chosen,
    inThePlace.map((lesson) => lesson.id),
  );
  if (others.length > 0) {
    return { said, id };
  }
  if (!before) {
    return { said, id, undo: { call: "forget", body: { id } } };
  }
  return { said, id, undo: await bringBack(before, lessons) };
}

/** Returns a field of a call's body, or undefined if it's absent. @throws SentinelError `bad_argument` if it isn't a string. */
export function textIn(body: Body, name: string): string | undefined {
  const value = body[name];
  if (value === undefined || typeof value === "string") {
    return value;
  }
  throw new SentinelError("bad_argument", `${name} is not a text.`, "Load the page again.");
}

/** Returns the call that restores a replaced version. */
async function bringBack(version: Lesson, lessons: LessonStore): Promise<Call> {
  const removed = await lessons.removed();
  const all = removed.map(({ lesson }) => lesson);
  return { call: "restore", body: { id: versionReference(version, [version, ...all]) } };
}
