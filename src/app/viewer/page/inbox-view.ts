/** Failures that came back, one at a time, with the evidence first: keep it as a lesson, in other words, never, or later. */
import { html } from "htm/preact";
import { useContext, useEffect, useRef, useState } from "preact/hooks";
import type { InboxRow } from "../inbox.ts";
import { Around, stepsIn, useData, useKeys } from "./data.ts";
import { at, count, Empty, Fields, ProblemNote, Text, useInSight } from "./parts.ts";
import { go, hrefTo, type Route } from "./route.ts";

export function InboxView({ params }: Pick<Route, "params">) {
  const { data, problem } = useData<readonly InboxRow[]>("inbox");
  const rows = data ?? [];
  const found = rows.findIndex(({ id }) => id === params.id);
  const index = Math.max(0, found);
  const steps = stepsIn(rows, index, ({ id }) => go("inbox", { id }, true));
  useKeys({ ...steps, s: steps.j });
  useInSight("[aria-current=true]", index);
  if (problem) return html`<${ProblemNote} problem=${problem} />`;
  if (!data) return null;
  const chosen = rows[index];
  if (!chosen)
    return html`<${Empty}>Nothing waits: no failure came back in several sessions without a lesson about it.</${Empty}>`;
  return html`<div class=${`split ${params.id ? "one" : ""}`}>
    <section class="list" aria-label="Candidates"><p class="count" role="status">${count(rows.length, "candidate")}</p>
      <ul class="long plain" tabindex="0">${rows.map((row) => html`<li>${rowOf(row, row === chosen)}</li>`)}</ul></section>
    <section class="detail" aria-label="Candidate"><a class="back" href=${hrefTo("inbox")}>All candidates</a><${One} row=${chosen} onDone=${steps.j} key=${chosen.id} /></section></div>`;
}

const rowOf = ({ id, command, times, sessions, at: when }: InboxRow, isChosen: boolean) =>
  html`<a class="row" href=${hrefTo("inbox", { id })} aria-current=${isChosen ? "true" : undefined}>
    <span class="line"><span class="tag warn">failed ${times}×</span><span class="dim end">${count(sessions, "session")} · ${at(when).day}</span></span><code class="words">${command || id}</code></a>`;

function One({ row, onDone }: { row: InboxRow; onDone: () => void }) {
  const { readOnly, act } = useContext(Around);
  const [words, setWords] = useState<string>();
  const box = useRef<HTMLTextAreaElement>(null);
  const { id, times, sessions, at: when, session, event, command, worked, output, texts } = row;
  useEffect(() => box.current?.focus(), [words === undefined]);
  const keep = () => act("keep", { id, ...(words && { lesson: words }) });
  const never = () => act("never", { id });
  const edit = () => setWords(texts.lesson);
  useKeys(readOnly ? {} : { y: keep, n: never, e: edit });
  const onKey = (key: KeyboardEvent) => {
    if (key.key === "Escape") setWords(undefined);
    if (key.key === "Enter" && (key.ctrlKey || key.metaKey)) void keep();
    key.stopPropagation();
  };
  return html`<article><header><h2>Failed ${count(times, "time")} in ${count(sessions, "session")}</h2></header>
    <p class="dim">last ${at(when).day} ${at(when).time} · <a href=${hrefTo("sessions", { id: session, event })}>the moment</a></p>
    <h3>Command</h3><pre dir="auto"><${Text}>${command}</${Text}></pre>
    <h3>It said</h3><pre dir="auto"><${Text}>${output.join("\n")}</${Text}></pre>
    ${worked && html`<h3>What worked afterwards</h3><pre dir="auto">${worked}</pre>`}
    <h3>As a lesson in <bdi>${texts.topic}</bdi></h3><${Fields} texts=${texts} />
    ${words !== undefined && html`<label>In your words<textarea ref=${box} dir="auto" rows="3" value=${words} onKeyDown=${onKey} onInput=${(input: InputEvent) => setWords((input.target as HTMLTextAreaElement).value)}></textarea></label>`}
    ${!readOnly && html`<p class="buttons"><button class="main" onClick=${keep}>Keep <kbd>${words === undefined ? "y" : "Ctrl ↵"}</kbd></button>${words === undefined && html`<button onClick=${edit}>In your words <kbd>e</kbd></button>`}<button onClick=${never}>Never <kbd>n</kbd></button><button onClick=${onDone}>Later <kbd>s</kbd></button></p>`}
  </article>`;
}
