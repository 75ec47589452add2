/**
 * How large a bundle may be and how much work it may take, in `.context/policies/budgets.yaml` (docs/design/sessions.md, "Views and policies").
 * Tokens are estimates.
 */
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
    /** What the largest bundle leaves free of the ceiling, for the request of the person and what tools answer. */
    reserve_tokens: integer(0, 60_000, 5_000),
    /** The most that each part may take. Together they are more than the reserve leaves: the total binds as well. */
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
export const SECTIONS = Object.keys(BUDGETS_POLICY.fields.sections.fields) as readonly SectionName[];

/** The most that each section of a bundle may take, in tokens. */
export type Caps = Readonly<Record<SectionName, number>>;

/** What people wrote for every bundle has room before the rest, up to this share of the whole. */
const FIRST: readonly SectionName[] = ["identity", "rules"];
const SHARE_OF_FIRST = 0.5;

/**
 * The caps of one bundle. Identity and rules come first. Where the total is too small for all sections, each gets its share by its cap;
 * what a section does not need, the others get.
 * @param maxTokens what the bundle may take, as it was asked for.
 * @param needed the tokens that a section could use; its cap where it is absent.
 */
export function capsFor(maxTokens: number, budgets: Budgets, needed: Partial<Caps> = {}): Caps {
  const total = Math.max(0, Math.floor(Math.min(maxTokens, mostTokens(budgets))));
  const weights = SECTIONS.map((name) => ({ name, weight: budgets.sections[name].max_tokens }));
  const needs = weights.map(({ name, weight }) => ({ name, weight, need: Math.min(needed[name] ?? weight, weight) }));
  const first = needs.filter(({ name }) => FIRST.includes(name));
  const wanted = first.reduce((sum, { need }) => sum + need, 0);
  const forFirst = shared(Math.floor(Math.min(wanted, total * SHARE_OF_FIRST)), first);
  const left = forFirst.reduce((rest, [, tokens]) => rest - tokens, total);
  const others = needs.filter(({ name }) => !FIRST.includes(name));
  return Object.fromEntries([...forFirst, ...shared(left, others)]) as Caps;
}

/** The most that any bundle may take, whatever is asked for. */
export function mostTokens({ max_tokens, reserve_tokens }: Budgets): number {
  return Math.min(max_tokens, CEILING - reserve_tokens);
}

interface Need {
  readonly name: SectionName;
  readonly weight: number;
  readonly need: number;
}

/** First those whose need is within their share, because what they leave makes the shares of the others larger. */
function shared(total: number, needs: readonly Need[]): [SectionName, number][] {
  const weights = needs.reduce((sum, { weight }) => sum + weight, 0);
  const shareOf = ({ weight }: Need) => (weights === 0 ? 0 : Math.floor((weight * total) / weights));
  const modest = needs.filter((need) => need.need <= shareOf(need));
  if (modest.length === 0) return needs.map((need) => [need.name, shareOf(need)]);
  const left = modest.reduce((rest, { need }) => rest - need, total);
  const others = needs.filter((need) => !modest.includes(need));
  return [...modest.map(({ name, need }): [SectionName, number] => [name, need]), ...shared(left, others)];
}

function integer(min: number, max: number, value: number) {
  return { kind: "integer", min, max, default: value } as const;
}

function section(tokens: number) {
  return { kind: "section", fields: { max_tokens: integer(0, CEILING, tokens) } } as const;
}
