/** The policy of `.context/policies/budgets.yaml`: the size of bundles in estimated tokens, and the work for one. */
import type { PolicySchema, PolicyValues } from "../../../ground/core/policy.ts";
import { CONTEXT_FOLDER, contextFolder } from "../../../ground/project/context-folder.ts";
import { MOST_HITS } from "../../store.ts";

/** The most tokens of any bundle. */
export const CEILING = 65_000;

/** The keys of the file, with their values and defaults. */
export const BUDGETS_POLICY = {
  version: 1,
  fields: {
    /** The most that a bundle may take. */
    max_tokens: integer(500, CEILING, CEILING),
    /** The part of the ceiling that bundles leave free. The default is 0, because a caller that gives a size knows the rest of its call. */
    reserve_tokens: integer(0, 60_000, 0),
    /** The most tokens of each section. */
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
        /** The most search hits that a bundle is chosen from. */
        chunks: integer(1, MOST_HITS, MOST_HITS),
      },
    },
  },
} as const satisfies PolicySchema;

export type Budgets = PolicyValues<typeof BUDGETS_POLICY>;

export type SectionName = keyof Budgets["sections"];

/** The file's name in messages. */
export const BUDGETS_NAME = contextFolder(CONTEXT_FOLDER).budgetsPolicy;

/** The sections in the order of a bundle. */
export const SECTIONS = Object.keys(
  BUDGETS_POLICY.fields.sections.fields,
) as readonly SectionName[];

/** The most tokens that any request may get. */
export function mostTokens({ max_tokens, reserve_tokens }: Budgets): number {
  return Math.min(max_tokens, CEILING - reserve_tokens);
}

function integer(min: number, max: number, value: number) {
  return { kind: "integer", min, max, default: value } as const;
}

function section(tokens: number) {
  return { kind: "section", fields: { max_tokens: integer(0, CEILING, tokens) } } as const;
}
