/** The policies of `.context/policies/`: `budgets.yaml` and `channels.yaml`. (docs/design/sessions.md, "Views and policies") */
import type { PolicySchema, PolicyValues } from "../../../ground/core/policy.ts";
import { CONTEXT_FOLDER, contextFolder } from "../../../ground/project/context-folder.ts";
import type { Event } from "../../kinds/event.ts";
import { MOST_HITS } from "../../store.ts";

/** The most tokens of any bundle. */
export const CEILING = 65_000;

/** The keys of `budgets.yaml`, with their values and defaults: the size of bundles in estimated tokens, and the work for one. */
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

export const SHARED_VIEWS = ["identity", "rules.project", "glossary"] as const;
const ALL_VIEWS = [...SHARED_VIEWS, "preferences"] as const;
export type ViewName = (typeof ALL_VIEWS)[number];

/** The keys of `channels.yaml`, with their values and defaults. No value can share secrets. */
export const CHANNELS_POLICY = {
  version: 1,
  fields: {
    private: channel(ALL_VIEWS, ["none", "low", "high"], "high"),
    team: channel(SHARED_VIEWS, ["none", "low", "high"], "low"),
    agent: channel(SHARED_VIEWS, ["none", "low", "high"], "low"),
    public: channel(SHARED_VIEWS, ["none", "low"], "low"),
  },
} as const satisfies PolicySchema & { fields: Record<Event["channel"], unknown> };

export type Channels = PolicyValues<typeof CHANNELS_POLICY>;

/** The file's name in messages. */
export const CHANNELS_NAME = contextFolder(CONTEXT_FOLDER).channelsPolicy;

/** A channel that loads all its views by default. */
function channel<View extends ViewName, Sensitivity extends string>(
  views: readonly View[],
  sensitivities: readonly Sensitivity[],
  highest: Sensitivity,
) {
  return {
    kind: "section",
    fields: {
      views: { kind: "choices", of: views, default: views },
      max_sensitivity: { kind: "choice", of: sensitivities, default: highest },
    },
  } as const;
}
