/** The parts of the viewer: what the command line gives, and what the viewer's bundle does with it. */
import type { Terminal } from "../../ground/terminal/terminal.ts";
import type { LessonCommandContext } from "../../lessons/terminal/read-memory.ts";
import type { SessionCommandContext } from "../../sessions/terminal/project-log.ts";

export type ViewerContext = LessonCommandContext & SessionCommandContext;

/** A change. @param body as the page sent it. */
export type Action = (body: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** The calls of the page, by their names. */
export interface Routes {
  readonly reads: ReadonlyMap<string, (query: URLSearchParams) => Promise<unknown>>;
  readonly actions: ReadonlyMap<string, Action>;
}

export interface ServeOptions {
  readonly terminal: Terminal;
  /** Whether a browser is started. */
  readonly open: boolean;
}

export interface Viewer {
  /** Serves the page until the process has to stop, or no page was open for half an hour. */
  serve(routes: Routes, options: ServeOptions): Promise<void>;
  /** The page's CSS. */
  style(): string;
}
