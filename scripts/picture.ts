/**
 * The demo as an animated recording of a terminal, for the README: `npm run picture`. Each page is a part of what the demo prints, the
 * call first, then its answer.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";

const FILE = "docs/demo.svg";
/** Beginnings of the headings that are shown. */
const SHOWN = ["A new project", "After the first tasks", "The next task", "The task once more"];
const COLUMNS = 104;
const ROWS = 22;
const CHARACTER_WIDTH = 7.85;
const LINE_HEIGHT = 19;
const MARGIN = 22;
const CALL_SECONDS = 2.5;
const ANSWER_SECONDS = 6;

/** What is seen where nothing moves. */
const STILL = "#c2, #a2";

const WIDTH = Math.ceil(COLUMNS * CHARACTER_WIDTH + 2 * MARGIN);
const HEIGHT = ROWS * LINE_HEIGHT + 3 * MARGIN;
const TOTAL_SECONDS = SHOWN.length * (CALL_SECONDS + ANSWER_SECONDS);

const demo = execFileSync("npx", ["tsx", "scripts/demo.ts"], {
  encoding: "utf8",
  env: { ...process.env, NO_COLOR: "1" },
});
const sections = demo.split(/^## /m).slice(1);
const pages = SHOWN.map((beginning) => {
  const section = sections.find((text) => text.startsWith(beginning));
  if (section === undefined) {
    throw new Error(`The demo has no part "${beginning}".`);
  }
  return section.trimEnd();
});
writeFileSync(FILE, svg());
console.log(FILE);

function svg(): string {
  const groups = pages.map((page, index) => {
    const [heading = "", ...lines] = page
      .replaceAll(/\S*\/sentinel-demo-\w+/g, "/home/you/shop")
      .split("\n");
    const wrapped = lines.flatMap(wrap).slice(0, ROWS);
    // The answer is indented, and the arguments of a call are too, but by less.
    const firstOfAnswer = wrapped.findIndex((line) => line.startsWith("    "));
    const call = wrapped.slice(0, firstOfAnswer);
    return [
      group(`c${index}`, [
        text(heading, 0, "title"),
        ...call.map((line, row) => text(line, row + 1)),
      ]),
      group(
        `a${index}`,
        wrapped.slice(firstOfAnswer).map((line, row) => text(line, firstOfAnswer + row + 1)),
      ),
    ].join("\n");
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="The demo in a terminal: an empty memory, two lessons logged, both given before the next task, and one principle in their place">
<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #c9d1d9 }
.title { fill: #79c0ff; font-weight: bold } .call { fill: #8b949e } .note { fill: #7ee787 }
g { visibility: hidden } ${STILL} { visibility: visible }
${groups
  .flatMap((_, index) => [`c${index}`, `a${index}`])
  .map(timing)
  .join("\n")}
@media (prefers-reduced-motion: reduce) { g { animation: none !important } }
</style>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
${groups.join("\n")}
</svg>
`;
}

function timing(id: string): string {
  const index = Number(id.slice(1));
  const length = CALL_SECONDS + ANSWER_SECONDS;
  const from = percent(index * length + (id.startsWith("a") ? CALL_SECONDS : 0));
  const to = percent((index + 1) * length);
  const frames = `0% { visibility: hidden } ${from}% { visibility: visible } ${to}% { visibility: hidden }`;
  return `#${id} { animation: ${id} ${TOTAL_SECONDS}s step-end infinite } @keyframes ${id} { ${frames} }`;
}

function percent(seconds: number): string {
  return ((seconds / TOTAL_SECONDS) * 100).toFixed(2);
}

function group(id: string, lines: readonly string[]): string {
  return `<g id="${id}">\n${lines.join("\n")}\n</g>`;
}

/** A line without its blanks, moved to where they end: not every viewer keeps blanks. */
function text(line: string, row: number, kind = kindOf(line)): string {
  const blanks = line.length - line.trimStart().length;
  const [x, y] = [MARGIN + blanks * CHARACTER_WIDTH, MARGIN + LINE_HEIGHT * (row + 1)];
  return `<text x="${x.toFixed(1)}" y="${y}" class="${kind}">${escaped(line.trim())}</text>`;
}

function kindOf(line: string): string {
  if (!line.startsWith("    ")) {
    return "call";
  }
  return /^ +(?:missing_context|lesson|ask_next_time|Saved)/.test(line) ? "note" : "answer";
}

/** A line in as many rows as it takes, broken between words; the rest is indented like its beginning. */
function wrap(line: string): string[] {
  if (line.length <= COLUMNS) {
    return [line];
  }
  const indent = /^ */.exec(line)?.[0] ?? "";
  const end = line.lastIndexOf(" ", COLUMNS);
  return [line.slice(0, end), ...wrap(`${indent}${line.slice(end + 1)}`)];
}

function escaped(line: string): string {
  return line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
