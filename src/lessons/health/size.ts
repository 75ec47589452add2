/** Whether the memory has grown past what one answer can show. */
import { type Budget, Meter } from "../../ground/core/budget.ts";
import { plural } from "../../ground/core/text.ts";
import { block } from "../format/lesson-text.ts";
import type { Snapshot } from "../merge/snapshot.ts";
import { compactionDue } from "../queries/compaction.ts";
import { References } from "../queries/references.ts";
import type { Finding } from "./finding.ts";

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
  const overBudget: Finding[] = outgrown.map(({ client }) => ({
    code: "over_budget",
    level: "note",
    what: `The whole memory does not fit one answer in ${client}: the best matches come in full, the others in short.`,
    lines: [],
    fix: "Compact it when you next work with an agent.",
  }));
  if (!compactionDue(snapshot, compactThreshold)) return overBudget;
  return [
    ...overBudget,
    {
      code: "compaction_due",
      level: "warning",
      what: `A compaction is due: ${plural(snapshot.count, "lesson")}, over the threshold of ${compactThreshold}.`,
      lines: [],
      fix: "Ask your agent to compact the memory; `sentinel-memory compact` shows what would be grouped.",
    },
  ];
}
