import { SentinelError } from "../../../../core/errors.ts";
import type { Answer } from "../../../../lessons/answers/answer.ts";
import { logAnswer } from "../../../../lessons/answers/log-answer.ts";
import { hintsFor } from "../../../../lessons/answers/log-hints.ts";
import { prepareDraft } from "../../../../lessons/changes/draft.ts";
import type { ToolContext } from "../../../tool.ts";
import type { Input } from "./definition.ts";

export async function handle(input: Input, { store, policy, signal }: ToolContext): Promise<Answer> {
  const { type = "log", source_ids, compact_threshold = policy.values.compact_threshold, ...texts } = input;
  if (source_ids?.length && type === "log") throw sourcesOnLog();
  const { draft, redactions } = prepareDraft({ type, ...texts });
  const hints = hintsFor(draft, await store.read());
  const saved = await store.save(draft, type === "principle" ? source_ids : undefined, signal);
  return logAnswer(saved, {
    redactions,
    hints,
    unusedGap: type === "principle" && Boolean(texts.missing_context),
    after: await store.read(),
    threshold: compact_threshold,
  });
}

function sourcesOnLog(): SentinelError {
  return new SentinelError(
    "bad_argument",
    "source_ids were given, but only a principle retires other records.",
    'Call again with type "principle", or without source_ids.',
  );
}
