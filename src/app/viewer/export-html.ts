/** Exports the lessons, their conflicts and their history as one self-contained HTML file. The same memory always gives the same bytes. */
import { hash } from "node:crypto";
import { groupBy } from "../../ground/core/collections.ts";
import { showControls } from "../../ground/core/text.ts";
import { dateOf } from "../../ground/core/time.ts";
import { alsoSaid } from "../../lessons/format/lesson-text.ts";
import { knownVersions } from "../../lessons/history/known-versions.ts";
import { lifeEvents } from "../../lessons/history/life-events.ts";
import type { LessonLine } from "../../lessons/merge/versions.ts";
import type { LessonStore } from "../../lessons/store.ts";
import { type Happened, happened, rowOf, textsOf } from "./lessons.ts";

const NAMES = {
  missing_context: "What was missing",
  lesson: "Lesson",
  ask_next_time: "Ask next time",
  when: "Comes up",
} as const;

/** Reads only commits and the memory file, because this machine's trash would make the output differ elsewhere. @param style the page's CSS. */
export async function exportHtml(lessons: LessonStore, style: string): Promise<string> {
  const snapshot = await lessons.read();
  const events = lifeEvents(await knownVersions(lessons.location, snapshot, []), []);
  const history = groupBy(events.map(happened), ({ id }) => id);
  const lines = [...snapshot.lessons()].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  const topics = [...groupBy(lines, ({ version }) => version.topic)];
  const policy = `default-src 'none'; style-src 'sha256-${hash("sha256", style, "base64")}'`;
  const sections = topics.map(([topic, group]) => {
    const articles = group.map((line) => articleOf(line, history.get(line.version.id) ?? []));
    return `<section><h2 dir="auto">${safe(topic)} <small>${group.length}</small></h2>\n${articles.join("\n")}</section>`;
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="content-security-policy" content="${policy}">
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><title>Lessons</title><style>${style}</style></head>
<body class="export"><main><h1>Lessons <small>${snapshot.count}</small></h1>
${sections.join("\n")}
</main></body></html>
`;
}

const placeOf = ({ version, raw }: LessonLine): string => `${version.topic}\0${version.id}\0${raw}`;

function articleOf(line: LessonLine, events: readonly Happened[]): string {
  const { version, also = [] } = line;
  const row = rowOf(line);
  const texts = textsOf(version);
  const fields = Object.entries(NAMES).flatMap(([name, label]) => {
    const text = texts[name as keyof typeof NAMES];
    return text === "" ? [] : [`<dt>${label}</dt><dd dir="auto">${safe(text)}</dd>`];
  });
  const others = alsoSaid(version, also).map(
    (text) => `<p class="conflict" dir="auto">${safe(text)}</p>`,
  );
  const past = events.map(({ at, kind, by, reason }) => {
    return `<li><time>${dateOf(at)}</time> ${kind}${reason ? ` (${safe(reason)})` : ""} <small dir="auto">${safe(by)}</small></li>`;
  });
  const head = [
    row.id.slice(0, 8),
    dateOf(row.at),
    row.type,
    ...(row.times > 1 ? [`met ${row.times} times`] : []),
  ];
  return `<article id="${safe(row.id)}"><p class="head">${head.map(safe).join(" · ")}</p><dl>${fields.join("")}</dl>${others.join("")}<details><summary>History</summary><ul>${past.join("")}</ul></details></article>`;
}

const CHARACTERS: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes stored text for HTML, so that it can't contain markup or change the direction of other text. */
function safe(text: string): string {
  const lines = text.split("\n").map(showControls).join("\n");
  return lines.replace(/[&<>"']/g, (character) => CHARACTERS[character] ?? "");
}
