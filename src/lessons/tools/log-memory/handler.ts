import { SentinelError } from "../../../ground/core/errors.ts";
import type { Answer } from "../../answers/answer.ts";
import { logAnswer } from "../../answers/log-answer.ts";
import { codeHints, hintsFor } from "../../answers/log-hints.ts";
import { prepareDraft } from "../../changes/draft.ts";
import type { When } from "../../format/when.ts";
import type { Snapshot } from "../../merge/fold.ts";
import { partsLeft, planCompaction } from "../../queries/compaction.ts";
import type { LessonToolContext } from "../context.ts";
import type { Conversation } from "../conversation.ts";
import type { Input } from "./definition.ts";

export async function handle(input: Input, context: LessonToolContext): Promise<Answer> {
  const { lessons, policy, privacy, conversation, signal } = context;
  const { type = "log", source_ids, replaces, drop = [], when, compact_threshold, ...texts } = input;
  if (source_ids?.length && type === "log")
    throw new SentinelError(
      "bad_argument",
      "source_ids were given, but only a principle retires other lessons.",
      'Call again with type "principle", or without source_ids.',
    );
  const { draft, redactions, cleared } = prepareDraft(
    { type, ...texts, when: when as When | string | undefined },
    privacy.forStoring(),
  );
  const before = await lessons.read();
  const options = {
    sources: type === "principle" ? source_ids : undefined,
    drop,
    replaces: replaces?.map((reference) => conversation.asShown(reference)),
    cleared,
  };
  const saved = await lessons.save(draft, options, signal);
  const after = await lessons.read();
  return logAnswer(saved, {
    redactions,
    asks: draft.ask_next_time !== undefined,
    hints: [...codeHints(draft), ...(saved.isNew ? hintsFor(draft, before, saved) : [])],
    unusedGap: type === "principle" && Boolean(texts.missing_context),
    after,
    threshold: compact_threshold ?? policy.values.compact_threshold,
    ownThreshold: compact_threshold !== undefined,
    isNews: () => conversation.maySayDue(),
    groupsLeft: source_ids?.length ? groupsLeft(after, conversation) : undefined,
  });
}

/** How many groups are left of a compaction that was planned in this conversation; undefined when none was. */
function groupsLeft(snapshot: Snapshot, conversation: Conversation): number | undefined {
  const { compaction } = conversation;
  if (compaction === undefined) return undefined;
  const left = partsLeft(planCompaction(snapshot, compaction.topic));
  conversation.compaction = left > 0 ? { ...compaction, hasBegun: true } : undefined;
  return left;
}
