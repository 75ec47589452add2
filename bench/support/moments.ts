/** The moments of a record at which it could have helped. Which files an agent touches next is known from its sessions themselves. */
import type { Event } from "../../src/sessions/kinds/event.ts";

/** When the prediction runs: at a session's first prompt, at a later one, or after a compaction. */
export type MomentKind = "first prompt" | "later prompt" | "after compaction";

export const MOMENTS: readonly MomentKind[] = ["first prompt", "later prompt", "after compaction"];

export interface Moment {
  readonly kind: MomentKind;
  /** How many events there were before it. */
  readonly at: number;
  readonly session: string;
  /** What was asked last. */
  readonly prompt: string;
  /** The known files that the session touches next. */
  readonly touched: ReadonlySet<string>;
}

/** A lesson with fewer files has nothing to choose from. */
const LEAST_FILES = 20;
/** A later prompt with fewer characters ("yes", "go on") asks for nothing of its own. */
const SHORT_PROMPT = 20;
const ACTIONS_AFTER_COMPACTION = 20;

/** @param events in order of time. */
export function momentsOf(events: readonly Event[]): Moment[] {
  const known = new Set<string>();
  const prompts = new Map<string, string>();
  return events.flatMap((event, at) => {
    const { session, content, kind } = event;
    const isFirst = !prompts.has(session);
    if (isPrompt(event)) {
      prompts.set(session, String(content.text));
    }
    const prompt = prompts.get(session) ?? "";
    const next = () => events.slice(at + 1).filter((later) => later.session === session);
    const moment = (kind: Moment["kind"], touching: readonly Event[]): Moment[] => {
      const touched = new Set(
        touching.flatMap((later) => fileOf(later) ?? []).filter((each) => known.has(each)),
      );
      return known.size < LEAST_FILES || touched.size === 0
        ? []
        : [{ kind, at, session, prompt, touched }];
    };
    const file = fileOf(event);
    if (kind === "tool_call" && file !== undefined) {
      known.add(file);
    }
    if (kind === "summary") {
      return moment("after compaction", calls(next()).slice(0, ACTIONS_AFTER_COMPACTION));
    }
    if (!isPrompt(event) || (!isFirst && prompt.trim().length <= SHORT_PROMPT)) {
      return [];
    }
    const later = next();
    const end = later.findIndex(isPrompt);
    return moment(
      isFirst ? "first prompt" : "later prompt",
      calls(end === -1 ? later : later.slice(0, end)),
    );
  });
}

function calls(events: readonly Event[]): readonly Event[] {
  return events.filter(({ kind }) => kind === "tool_call");
}

/** The file that an event is about. */
function fileOf({ content }: Event): string | undefined {
  return typeof content.path === "string" ? content.path : undefined;
}

function isPrompt({ kind, actor, content }: Event): boolean {
  return (
    kind === "message" &&
    actor.type === "human" &&
    !String(content.text).startsWith("[Request interrupted")
  );
}
