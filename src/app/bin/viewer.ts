/** The viewer's server and its page. The build puts the page next to the program. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { serveViewer } from "../viewer/serve-viewer.ts";
import type { Viewer } from "../viewer/viewer.ts";

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), "utf8");
const style = (): string => read("viewer-style.css");

export const viewer: Viewer = {
  serve: (routes, options) =>
    serveViewer(routes, { script: read("viewer-page.js"), style: style() }, options),
  style,
};
