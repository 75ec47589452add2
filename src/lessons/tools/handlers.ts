/** The handlers of the tools about lessons. */
import { SentinelError } from "../../ground/core/errors.ts";
import { present } from "../../ground/core/text.ts";
import { localMinute } from "../../ground/core/time.ts";
import type { Privacy } from "../../ground/project/privacy.ts";
import { bind, type CallContext, type InputOf, type Tool } from "../../ground/tool/tool.ts";
import type { Answer } from "../answers/answer.ts";
import { compactionNotDue, compactionPlan } from "../answers/compaction-plan.ts";
import { redactionNotes } from "../answers/file-report.ts";
import { codeHints, dueNotice, hintsFor, logAnswer, UNUSED_GAP } from "../answers/log-answer.ts";
import { recordsById, searchAnswer } from "../answers/search-answer.ts";
import { prepareDraft } from "../changes/draft.ts";
import { normalTopic } from "../changes/field-text.ts";
import type { Saved } from "../changes/save.ts";
import { lineDigest } from "../format/lesson.ts";
import { markOver } from "../format/lesson-text.ts";
import type { When } from "../format/when.ts";
import type { LessonLine } from "../merge/versions.ts";
import type { MemoryPolicy } from "../policy.ts";
import { compactionDue, planCompaction } from "../queries/compaction.ts";
import { narrowing, rankLessons } from "../queries/lesson-ranking.ts";
import type { LessonStore } from "../store.ts";
import * as tool from "./definitions.ts";

/** The context of the lesson tools' handlers. */
export interface LessonToolContext extends CallContext {
  readonly lessons: LessonStore;
  readonly policy: MemoryPolicy;
  readonly privacy: Privacy;
  readonly conversation: Conversation;
  /** A `when` for the files and the failed command of the work since the last log. */
  readonly unloggedWork: () => string | undefined;
}

/** The tools about lessons. Each listed tool costs every session tokens. */
export const LESSON_TOOLS: readonly Tool<LessonToolContext, Answer>[] = [
  bind(tool.searchMemory, searchMemory),
  bind(tool.logMemory, logMemory),
  bind(tool.compactMemory, compactMemory),
];

async function searchMemory(
  { query, topic, ids = [], detail, type, since }: InputOf<typeof tool.searchMemory>,
  context: LessonToolContext,
): Promise<Answer> {
  const { lessons, policy, budget } = context;
  const snapshot = await lessons.read();
  const now = localMinute(Date.now());
  const isMeant = narrowing({ type, since }, Date.now());
  const answer =
    ids.length > 0
      ? recordsById(snapshot, ids, isMeant, budget)
      : searchAnswer(
          snapshot,
          rankLessons(snapshot.lessons(), query ?? "", { now }),
          { query, topics: [topic ?? []].flat(), detail, isMeant },
          policy.values,
          budget,
        );
  const isDue = compactionDue(snapshot, policy.values.compact_threshold);
  return {
    ...answer,
    text: markOver(answer.text, now),
    remark: isDue ? "compaction is due: call compact_memory" : undefined,
  };
}

async function logMemory(
  input: InputOf<typeof tool.logMemory>,
  context: LessonToolContext,
): Promise<Answer> {
  const { lessons, policy, privacy, conversation, signal } = context;
  const { type = "log", source_ids, replaces, when, compact_threshold, ...texts } = input;
  if (source_ids?.length && type === "log") {
    throw new SentinelError(
      "bad_argument",
      "source_ids were given, but only a principle retires other lessons.",
      'Call again with type "principle", or without source_ids.',
    );
  }
  const { draft, redactions, cleared } = prepareDraft(
    { type, ...texts, when: when as When | string | undefined },
    privacy.forStoring(),
  );
  const before = await lessons.read();
  const options = {
    sources: type === "principle" ? source_ids : undefined,
    replaces: replaces?.map((reference) => conversation.asShown(reference)),
    cleared,
  };
  const saved = await lessons.save(draft, options, signal);
  const after = await lessons.read();
  const threshold = compact_threshold ?? policy.values.compact_threshold;
  // Not after a principle, because a compaction is already in progress.
  const isCompactionDue = type === "log" && compactionDue(after, threshold);
  if (isCompactionDue) {
    conversation.hasSaidDue = true;
  }
  const hints = saved.isNew ? hintsFor(draft, before, saved) : [];
  const notes = present(
    ...redactionNotes(redactions),
    type === "principle" && texts.missing_context && UNUSED_GAP,
    ...codeHints(draft),
    ...hints,
    isCompactionDue && dueNotice(after.count, threshold, compact_threshold),
  );
  return logAnswer(saved, {
    after,
    asks: draft.ask_next_time !== undefined,
    offeredWhen: needsWhen(type, when, saved) ? context.unloggedWork() : undefined,
    hasSources: Boolean(source_ids?.length),
    notes,
  });
}

/** Whether a lesson has no `when`, and the call did not refuse one with "none". */
const needsWhen = (type: string, given: unknown, { line }: Saved): boolean =>
  type === "log" && given === undefined && line.version.when === undefined;

async function compactMemory(
  { target_topic, compact_threshold }: InputOf<typeof tool.compactMemory>,
  { lessons, policy, privacy, budget }: LessonToolContext,
): Promise<Answer> {
  privacy.forStoring(); // A plan leads to saves, and none would succeed.
  const threshold = compact_threshold ?? policy.values.compact_threshold;
  const snapshot = await lessons.read();
  const topic = target_topic === undefined ? undefined : normalTopic(target_topic);
  if (topic === undefined && snapshot.count <= threshold) {
    return compactionNotDue(snapshot, threshold);
  }
  return compactionPlan(snapshot, planCompaction(snapshot, topic), topic, budget);
}

export class Conversation {
  /** The digest of the line that was shown last, by id. */
  readonly #shown = new Map<string, string>();
  /** Whether an answer has mentioned that a compaction is due. Every save mentions it, and a search only if no earlier answer did. */
  hasSaidDue = false;

  /** Notes lessons whose whole text the client knows: an answer shows it, or a call wrote it. */
  note(lines: readonly LessonLine[]): void {
    for (const { version, raw } of lines) {
      this.#shown.set(version.id, lineDigest(raw));
    }
  }

  /** Returns the full reference of the version of a lesson that was shown last. Returns any other text unchanged. */
  asShown(reference: string): string {
    const name = reference.trim().toLowerCase();
    const [shown, ...others] = [...this.#shown].filter(
      ([id]) => name.length >= SHORTEST && id.startsWith(name),
    );
    return shown && others.length === 0 ? `${shown[0]}@${shown[1]}` : reference;
  }
}

/** Digits of the shortest reference. */
const SHORTEST = 8;
