/** `.context/policies/budgets.yaml`: how large a bundle may be, in estimated tokens, and how much work it may take. */
import type { PolicySchema, PolicyValues } from "../../../ground/core/policy.ts";
import { CONTEXT_FOLDER, contextFolder } from "../../../ground/project/context-folder.ts";
import { MOST_HITS } from "../../store.ts";

/** No bundle is larger, whatever anybody asks for. */
export const CEILING = 65_000;

/** The keys of the file, with their values and defaults. */
export const BUDGETS_POLICY = {
  version: 1,
  fields: {
    /** The most that a bundle may take. */
    max_tokens: integer(500, CEILING, CEILING),
    /** The largest bundle leaves this free of the ceiling. The default is nothing: a caller that names a size knows what else its call holds. */
    reserve_tokens: integer(0, 60_000, 0),
    /** The most that each part may take. */
    sections: {
      kind: "section",
      fields: {
        identity: section(1_200),
        rules: section(6_000),
        task_state: section(3_000),
        lessons: section(3_000),
        relevant_decisions: section(8_000),
        retrieved_evidence: section(28_000),
        recent_window: section(12_000),
        tool_state: section(2_000),
      },
    },
    limits: {
      kind: "section",
      fields: {
        /** Parts of the session log that a bundle is chosen from; a search gives no more. */
        chunks: integer(1, MOST_HITS, MOST_HITS),
      },
    },
  },
} as const satisfies PolicySchema;

export type Budgets = PolicyValues<typeof BUDGETS_POLICY>;

export type SectionName = keyof Budgets["sections"];

/** The file's name, as messages spell it. */
export const BUDGETS_NAME = contextFolder(CONTEXT_FOLDER).budgetsPolicy;

/** The sections in the order of a bundle. */
export const SECTIONS = Object.keys(
  BUDGETS_POLICY.fields.sections.fields,
) as readonly SectionName[];

/** The most that any bundle may take, whatever is asked for. */
export function mostTokens({ max_tokens, reserve_tokens }: Budgets): number {
  return Math.min(max_tokens, CEILING - reserve_tokens);
}

function integer(min: number, max: number, value: number) {
  return { kind: "integer", min, max, default: value } as const;
}

function section(tokens: number) {
  return { kind: "section", fields: { max_tokens: integer(0, CEILING, tokens) } } as const;
}
