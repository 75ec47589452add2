/** The types shared by the command line and the viewer's bundle. */
import type { Terminal } from "../../ground/terminal/terminal.ts";
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

export interface ServeOptions {
  readonly terminal: Terminal;
  /** Whether to open a browser. */
  readonly open: boolean;
}

export interface Viewer {
  /** Serves the page until the process is told to stop, or no page has been open for half an hour. */
  serve(routes: Routes, options: ServeOptions): Promise<void>;
  /** The page's CSS. */
  style(): string;
}
