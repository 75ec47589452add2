/** Events that say who appended them, and the jobs of processes that do. */
import type { Content, Event, EventDraft } from "../../../src/sessions/kinds/event.ts";
import type { PurgeTarget, RetentionLimits } from "../../../src/sessions/store.ts";

export type Job =
  | {
      readonly do: "append";
      readonly name: string;
      readonly session?: string;
      readonly count: number;
      readonly batch: number;
      readonly from?: number;
    }
  | { readonly do: "purge"; readonly target: PurgeTarget; readonly times?: number }
  | { readonly do: "retain"; readonly limits: RetentionLimits; readonly times?: number }
  /** Brings the index up to date, until there is nothing more to do, and begins again. */
  | { readonly do: "index"; readonly times?: number }
  | { readonly do: "search"; readonly text: string; readonly times?: number };

/** Limits of a retention that nothing here is beyond. */
export const KEEP_ALL: RetentionLimits = { artifactsDays: 90, artifactsBytes: 1e9 };
export const NIGHT = Date.parse("2026-11-21T23:59:00.000Z");
/** One in so many events has a text that is cut, every one another text. */
const LONG_EVERY = 7;

/** One event of each name and number; neighbours are seconds apart, so a batch may reach into the next day. */
export function markedEvent(name: string, number: number, session = "kept"): EventDraft {
  const mark = markOf(name, number);
  const isLong = number % LONG_EVERY === 0;
  return {
    ts: new Date(NIGHT + (number % 120) * 1_000).toISOString(),
    session,
    agent: "claude-code",
    actor: { type: "tool", id: "tool.Bash" },
    kind: "tool_result",
    content: {
      tool: "Bash",
      text: isLong ? `${mark}\n${`printed by ${mark}\n`.repeat(1_200)}` : mark,
      mark,
    },
    origin: mark,
  };
}

/** The mark of an event that is stored. */
export function markIn({ content }: Event): string {
  return String((content as Content).mark);
}

export function markOf(name: string, number: number): string {
  return `<${name} ${number}>`;
}
