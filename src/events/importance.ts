/** How much an event matters by its kind, from 0 to 1: this table, and nothing else. Pure. */
import type { Event, Kind } from "./event.ts";
import { isFromPerson } from "./projections/brief-event.ts";

const BY_KIND: Readonly<Record<Kind, number>> = {
  message: 0.3,
  tool_call: 0.1,
  tool_result: 0.2,
  decision: 0.9,
  summary: 0.4,
  task_update: 0.6,
  artifact: 0.4,
  session: 0.1,
  pin: 1,
  handoff: 0.7,
};
const BY_OUTCOME: Readonly<Record<string, number>> = { refused_by_user: 0.8, failed: 0.4, cascade: 0, not_found: 0.05 };
/** A person says less, and means it. */
const HUMAN = 0.6;
const EDIT = 0.4;
const INTRODUCTION = 0.7;
const PINNED = 1;

/** What introduces a project: its description, its manifest, where it begins. */
const INTRODUCES =
  /(?:^|[\\/])(?:readme(?:\.\w+)?|contributing\.md|architecture\.md|agents\.md|claude\.md|package\.json|pyproject\.toml|requirements\.txt|setup\.(?:py|cfg)|go\.mod|cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?|gemfile|composer\.json|makefile|(?:docker-)?compose\.ya?ml|dockerfile|(?:main|index|app|server|cli|manage|__main__)\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|php|c|cpp|cs))$/i;

export function importanceOf({
  kind,
  actor,
  content,
  tags,
}: Pick<Event, "kind" | "actor" | "content" | "tags">): number {
  if (tags.includes("pinned")) return PINNED;
  const outcome = typeof content.outcome === "string" ? BY_OUTCOME[content.outcome] : undefined;
  if (outcome !== undefined) return outcome;
  if (isFromPerson({ kind, actor, content })) return HUMAN;
  if (kind !== "tool_result") return BY_KIND[kind];
  if (typeof content.path === "string" && INTRODUCES.test(content.path)) return INTRODUCTION;
  return content.edits === true ? EDIT : BY_KIND.tool_result;
}
