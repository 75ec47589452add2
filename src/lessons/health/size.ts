/** Whether the memory has grown past what one answer can show. */
import { type Budget, Meter } from "../../ground/core/budget.ts";
import { plural } from "../../ground/core/text.ts";
import { block } from "../format/lesson-text.ts";
import type { Snapshot } from "../merge/fold.ts";
import { compactionDue } from "../queries/compaction.ts";
import { References } from "../queries/references.ts";
import { type Finding, finding } from "./finding.ts";

/** What one client shows the model of an answer. */
export interface ClientBudget {
  /** For people, like "Codex". */
  readonly client: string;
  readonly budget: Budget;
}

export function examineSize(snapshot: Snapshot, clients: readonly ClientBudget[], compactThreshold: number): Finding[] {
  const references = new References(snapshot);
  const blocks = snapshot
    .lessons()
    .map((line, index) => block(line.version, index + 1, references.short(line), line.also));
  const outgrown = clients.filter(({ budget }) => {
    const meter = new Meter(budget);
    return !blocks.every((text) => meter.take(text));
  });
  const overBudget = outgrown.map(({ client }) => {
    const what = `The whole memory does not fit one answer in ${client}: the best matches come in full, the others in short.`;
    return finding("over_budget", [], what, "Compact it when you next work with an agent.");
  });
  if (!compactionDue(snapshot, compactThreshold)) return overBudget;
  const what = `A compaction is due: ${plural(snapshot.count, "lesson")}, over the threshold of ${compactThreshold}.`;
  const fix = "Ask your agent to compact the memory; `sentinel-memory compact` shows what would be grouped.";
  return [...overBudget, finding("compaction_due", [], what, fix)];
}
