/** Exports the lessons, their conflicts and their history as one self-contained HTML file. The same memory always gives the same bytes. */
import { hash } from "node:crypto";
import { groupBy } from "../../ground/core/collections.ts";
import { compare, visibleLines } from "../../ground/core/text.ts";
import { dateOf } from "../../ground/core/time.ts";
import { alsoSaid } from "../../lessons/format/lesson-text.ts";
import { knownVersions, lifeEvents } from "../../lessons/history/known-versions.ts";
import type { LessonLine } from "../../lessons/merge/versions.ts";
import type { LessonStore } from "../../lessons/store.ts";
import { FIELDS } from "./fields.ts";
import { type Happened, happened, rowOf, textsOf } from "./lessons.ts";

/** Reads only commits and the memory file, because this machine's trash would make the output differ elsewhere. @param style the page's CSS. */
export async function exportHtml(lessons: LessonStore, style: string): Promise<string> {
  const snapshot = await lessons.read();
  const events = lifeEvents(await knownVersions(lessons.location, snapshot, []), []);
  const history = groupBy(events.map(happened), ({ id }) => id);
  const lines = [...snapshot.lessons()].sort((a, b) => compare(placeOf(a), placeOf(b)));
  const sections: string[] = [];
  for (const [topic, group] of groupBy(lines, ({ version }) => version.topic)) {
    const articles = group.map((line) => articleOf(line, history.get(line.version.id) ?? []));
    const heading = `<h2 dir="auto">${safe(topic)} <small>${group.length}</small></h2>`;
    sections.push(`<section>${heading}\n${articles.join("\n")}</section>`);
  }
  const policy = `default-src 'none'; style-src 'sha256-${hash("sha256", style, "base64")}'`;
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
  const { id, at, type, times } = rowOf(line);
  const head = [id.slice(0, 8), dateOf(at), type];
  if (times > 1) {
    head.push(`met ${times} times`);
  }
  const texts = textsOf(version);
  const fields: string[] = [];
  for (const [name, label] of FIELDS) {
    const text = safe(texts[name]);
    if (text !== "") {
      fields.push(`<dt>${label}</dt><dd dir="auto">${text}</dd>`);
    }
  }
  const conflicts = alsoSaid(version, also).map((text) => {
    return `<p class="conflict" dir="auto">${safe(text)}</p>`;
  });
  const parts = [
    `<p class="head">${safe(head.join(" · "))}</p>`,
    `<dl>${fields.join("")}</dl>`,
    ...conflicts,
    `<details><summary>History</summary><ul>${events.map(itemOf).join("")}</ul></details>`,
  ];
  return `<article id="${safe(id)}">${parts.join("")}</article>`;
}

function itemOf({ at, kind, by, reason }: Happened): string {
  const why = reason ? ` (${safe(reason)})` : "";
  return `<li><time>${dateOf(at)}</time> ${kind}${why} <small dir="auto">${safe(by)}</small></li>`;
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
  return visibleLines(text).replace(/[&<>"']/g, (character) => CHARACTERS[character] ?? "");
}
