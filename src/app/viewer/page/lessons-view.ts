/** All lessons with a search box, and next to them the selected lesson. */
import { html } from "htm/preact";
import { useContext, useMemo } from "preact/hooks";
import { plural } from "../../../ground/core/text.ts";
import type { AllLessons, Gone, LessonRow } from "../lessons.ts";
import { Around, go, hrefTo, type Route, stepsIn, useData, useKeys } from "./data.ts";
import { LessonView } from "./lesson-view.ts";
import { at, Empty, Fields, LongList, ProblemNote, SearchBox, Text, useInSight } from "./parts.ts";

export function LessonsView({ params }: Pick<Route, "params">) {
  const { q = "", topic = "", id = "" } = params;
  const { data, problem } = useData<AllLessons>("lessons");
  const { data: found } = useData<readonly string[] | null>("search", data ? { q } : null);
  const all = data?.lessons ?? [];
  const shown = useMemo(() => chosenOf(all, found, topic), [data, found, topic]);
  const chosen = shown.findIndex((row) => id !== "" && row.id.startsWith(id));
  const steps = stepsIn(shown, chosen, (row) =>
    go("lessons", { ...params, id: row.id }, id !== ""),
  );
  const change = (more: Route["params"]) => go("lessons", { ...params, ...more }, true);
  useKeys({ ...steps, Escape: () => change({ id: "" }) });
  useInSight(".row[aria-current=true]", chosen);
  if (problem) return html`<${ProblemNote} problem=${problem} />`;
  if (!data) return null;
  const onTopic = (event: Event) => change({ topic: (event.target as HTMLSelectElement).value });
  const { gone, lessons } = data;
  return html`<div class=${`split ${id ? "one" : ""}`}>
    <section class="list" aria-label="Lessons">
      <div class="tools">
        <${SearchBox} value=${q} label="Search lessons" onInput=${(text: string) => change({ q: text, id: "" })} />
        <select aria-label="Topic" value=${topic} onChange=${onTopic}>
          <option value="">All topics</option>
          ${data.topics.map((one) => html`<option value=${one.topic}>${one.topic} (${one.count}) ${at(one.last).day}</option>`)}
          ${lessons.some(({ isContested }) => isContested) && html`<option value=":conflict">In conflict</option>`}
          ${gone.length > 0 && html`<option value=":gone">Not in the memory any more (${gone.length})</option>`}
        </select>
      </div>
      ${
        topic === ":gone"
          ? html`<${GoneList} gone=${gone} />`
          : html`<p class="count" role="status">${shown.length === lessons.length ? "" : `${shown.length} of `}${plural(lessons.length, "lesson")}</p>
            ${shown.length > 0 && html`<div class="long" tabindex="0" role="region" aria-label="List of lessons"><${LongList} rows=${shown} chosen=${chosen} show=${(row: LessonRow) => rowOf(row, params)} /></div>`}`
      }
      ${data.lessons.length === 0 && html`<${Empty}>Nothing was learnt here yet.</${Empty}>`}
    </section>
    <section class="detail" aria-label="Lesson">${id ? html`<${LessonView} id=${id} params=${params} key=${id} />` : html`<${Empty}>Choose a lesson: j and k step, / searches.</${Empty}>`}</section>
  </div>`;
}

/** @param found ids, best match first. Absent means all lessons. */
function chosenOf(
  all: readonly LessonRow[],
  found: readonly string[] | null | undefined,
  topic: string,
) {
  const byId = new Map(all.map((row) => [row.id, row]));
  const rows = found ? found.flatMap((id) => byId.get(id) ?? []) : all;
  return topic === ""
    ? rows
    : rows.filter((row) => (topic === ":conflict" ? row.isContested : row.topic === topic));
}

const rowOf = (
  { id, topic, lesson, at: when, times, type, isContested }: LessonRow,
  params: Route["params"],
) =>
  html`<a class="row" href=${hrefTo("lessons", { ...params, id })} aria-current=${params.id && id.startsWith(params.id) ? "true" : undefined}>
    <span class="line"><bdi class="topic">${topic}</bdi>${type === "principle" && html`<span class="tag">principle</span>`}${isContested && html`<span class="tag warn">in conflict</span>`}
    <span class="dim end">${times > 1 ? `${times}× · ` : ""}${at(when).day}</span></span>
    <span class="words" dir="auto"><${Text}>${lesson}</${Text}></span></a>`;

function GoneList({ gone }: { gone: readonly Gone[] }) {
  const { readOnly, act } = useContext(Around);
  const row = ({ ref, at: when, why, texts }: Gone) =>
    html`<article class="card"><p class="dim">${at(when).day} · ${why} · <bdi>${texts.topic}</bdi></p><${Fields} texts=${texts} />
      ${!readOnly && html`<button onClick=${() => act("restore", { id: ref })}>Bring back</button>`}</article>`;
  return html`<div class="long" tabindex="0" role="region" aria-label="Forgotten">${gone.map(row)}</div>`;
}
