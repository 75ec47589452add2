/** Shows the lessons that agents were given, with the trigger and the tokens. Grouped by day, newest first. */
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { groupBy } from "../../../ground/core/collections.ts";
import { plural } from "../../../ground/core/text.ts";
import type { GivenRow } from "../given.ts";
import type { SessionEvent, SessionRow } from "../sessions.ts";
import { hrefTo, type Route, useData } from "./data.ts";
import { at, Empty, ProblemNote, Text } from "./parts.ts";
import { EventOf } from "./sessions-view.ts";

const WHEN: Readonly<Record<string, string>> = {
  "session-start": "at a start",
  prompt: "with a prompt",
  "before-command": "before a command",
  "before-edit": "before an edit",
  read: "with a file read",
  edit: "with a file edited",
  result: "after a command",
  failure: "after a failure",
};
const MOST = 400;

export function GivenView({ params }: Pick<Route, "params">) {
  const { data, problem } = useData<readonly GivenRow[]>("given");
  const { data: sessions = [] } = useData<readonly SessionRow[]>("sessions");
  if (problem) return html`<${ProblemNote} problem=${problem} />`;
  if (!data) return null;
  if (data.length === 0)
    return html`<${Empty}>No hook gave a lesson to an agent on this machine yet: sentinel-memory init sets the hooks.</${Empty}>`;
  const days = groupBy(
    data.filter(({ session }) => !params.session || session === params.session).slice(0, MOST),
    (row) => at(row.at).day,
  );
  const dayOf = ([day, rows]: [string, GivenRow[]]) =>
    html`<section><h3>${day} <small>${plural(rows.length, "time")}, ${plural(sum(rows), "token")}</small></h3>
      <ol class="given">${rows.map((row) => html`<${One} row=${row} to=${sessions.find(({ session }) => session === row.session)} key=${row.at} />`)}</ol></section>`;
  return html`<div class="page"><h2>What agents were given</h2>
    ${[...days].map(dayOf)}
    ${data.length > MOST && html`<p class="dim">The newest ${MOST} of ${data.length} are shown.</p>`}</div>`;
}

const sum = (rows: readonly GivenRow[]): number =>
  rows.reduce((tokens, row) => tokens + row.tokens, 0);

const NEXT = 6;

/** @param to the session that got the lessons, if it's recorded. */
function One({ row, to }: { row: GivenRow; to?: SessionRow }) {
  const { at: when, event, trigger, tokens, session, lessons } = row;
  const [isOpen, setOpen] = useState(false);
  const { data } = useData<readonly SessionEvent[]>("session", isOpen ? { id: session } : null);
  const next = (data ?? []).filter((one) => Date.parse(one.at) >= when).slice(0, NEXT);
  const toggle = (change: Event) => setOpen((change.target as HTMLDetailsElement).open);
  return html`<li><time>${at(when).time}</time>
  <div><p>${WHEN[event] ?? event} <span class="tag">${trigger}</span> <span class="dim">${plural(tokens, "token")} · <a href=${hrefTo("sessions", { id: session, at: String(when) })}>session <bdi>${session.slice(0, 8)}</bdi></a>${to && html` of <bdi>${to.agent}</bdi>`}</span></p>
    ${to && html`<p class="words dim" dir="auto"><${Text}>${to.words}</${Text}></p>`}
    <ul class="plain">${lessons.map(({ id, topic, lesson, since }) =>
      lesson === ""
        ? html`<li class="dim"><code>${id.slice(0, 8)}</code> ${since}</li>`
        : html`<li><a href=${hrefTo("lessons", { id })}><bdi class="topic">${topic}</bdi> <bdi><${Text}>${lesson}</${Text}></bdi></a>${since && html` <span class="dim">${since}</span>`}</li>`,
    )}</ul>
    ${to && html`<details class="talk" onToggle=${toggle}><summary>What came next</summary>${next.map((one) => html`<${EventOf} row=${one} named="" key=${one.id} />`)}${data && next.length === 0 && "Nothing yet."}</details>`}</div></li>`;
}
