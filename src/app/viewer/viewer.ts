/** The types that the viewer's files share. */
import type { LessonCommandContext } from "../../lessons/terminal/read-memory.ts";
import type { SessionCommandContext } from "../../sessions/terminal/project-log.ts";

export type ViewerContext = LessonCommandContext & SessionCommandContext;

/** A call that changes something. @param body the JSON that the page sent. */
export type Action = (body: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** The calls of the page, by name. */
export interface Routes {
  readonly reads: ReadonlyMap<string, (query: URLSearchParams) => Promise<unknown>>;
  readonly actions: ReadonlyMap<string, Action>;
}
