/** Shows the sessions by day, one session as a conversation with its calls folded, and search hits of all sessions in context. */
import { html } from "htm/preact";
import { useContext, useState } from "preact/hooks";
import { groupBy } from "../../../ground/core/collections.ts";
import { plural } from "../../../ground/core/text.ts";
import type { Found, SessionEvent, SessionRow, WholeEvent } from "../sessions.ts";
import { Around, go, hrefTo, type Route, stepsIn, useData, useKeys } from "./data.ts";
import { at, Empty, LongList, ProblemNote, SearchBox, Text, useInSight } from "./parts.ts";

export function SessionsView({ params }: Pick<Route, "params">) {
  const { q = "", event = "", at: instant, list = "" } = params;
  const { data, problem } = useData<readonly SessionRow[]>("sessions");
  const named = useData<WholeEvent>("event", event && !params.id ? { id: event } : null).data;
  const rows = data ?? [];
  const part = params.id ?? named?.event.session ?? "";
  const index = rows.findIndex(({ session }) => part !== "" && session.startsWith(part));
  const id = rows[index]?.session ?? part;
  const steps = stepsIn(rows, index, ({ session }) => go("sessions", { id: session }, id !== ""));
  useKeys({ ...steps, Escape: () => go("sessions", { q, list }, true) });
  if (problem) return html`<${ProblemNote} problem=${problem} />`;
  if (!data) return null;
  const search = (text: string) => go("sessions", { q: text }, true);
  const days = groupBy(rows, ({ began }) => at(began).day);
  const dayOf = ([day, group]: [string, SessionRow[]]) =>
    html`<h2 class="day">${day}</h2><ul class="plain">${group.map((row) => html`<li key=${row.session}>${rowOf(row, id)}</li>`)}</ul>`;
  return html`<div class=${`split ${id ? "one" : ""}`}>
    <section class="list" aria-label="Sessions"><div class="tools"><${SearchBox} value=${q} label="Search what was said and done" onInput=${search} />
        <select aria-label="List" value=${list} onChange=${(event: Event) => go("sessions", { list: (event.target as HTMLSelectElement).value })}>
          <option value="">Sessions</option>${["decision", "task", "pin"].map((name) => html`<option value=${name}>${name}s</option>`)}</select></div>
      ${list !== "" ? html`<${Hits} call="ledger" name=${list} params=${params} key=${list} />` : q.trim() === "" ? html`<div class="long" tabindex="0" role="region" aria-label="List of sessions">${[...days].map(dayOf)}${rows.length === 0 && html`<${Empty}>Nothing is recorded yet.</${Empty}>`}</div>` : html`<${Hits} call="find" name="hit" params=${params} />`}</section>
    <section class="detail" aria-label="Session">${id ? html`<a class="back" href=${hrefTo("sessions", { q, list })}>All sessions</a><${Conversation} id=${id} event=${event} instant=${instant} key=${id} />` : html`<${Empty}>Choose a session: j and k step, / searches.</${Empty}>`}</section></div>`;
}

const rowOf = (
  { session, agent, began, ended, end, branches, words, facts }: SessionRow,
  id: string,
) =>
  html`<a class="row" href=${hrefTo("sessions", { id: session })} aria-current=${session === id ? "true" : undefined}>
    <span class="line"><time>${at(began).time}–${at(ended).time}</time> <bdi>${agent}</bdi><bdi class="topic">${branches.join(" > ")}</bdi><span class="dim end">${end}</span></span>
    <span class="words" dir="auto"><${Text}>${words || "(nothing was asked)"}</${Text}></span><span class="dim"><${Text}>${facts.join(" · ")}</${Text}></span></a>`;

/** @param name the noun for one hit, such as `decision`. */
function Hits({ call, name, params }: { call: string; name: string; params: Route["params"] }) {
  const { q = "", list = "" } = params;
  const { data, problem } = useData<readonly Found[]>(call, { q, list });
  if (problem) return html`<${ProblemNote} problem=${problem} />`;
  return html`<p class="count" role="status">${plural(data?.length ?? 0, name)} ${q && html`<${Purge} named=${{ text: q }} label=${`Purge all that holds “${q}”`} />`}</p>
    <div class="long" tabindex="0" role="region" aria-label="Hits"><${LongList} rows=${data ?? []} chosen=${-1} show=${(hit: Found) => hitOf(hit, params)} /></div>`;
}

const hitOf = (
  { id, at: when, who, session, agent, lines, before, after }: Found,
  params: Route["params"],
) =>
  html`<a class="row" href=${hrefTo("sessions", { ...params, id: session, event: id })} aria-current=${id === params.event ? "true" : undefined}>
    <span class="line"><time>${at(when).day} ${at(when).time}</time> <b>${who}</b><bdi class="dim end">${agent}</bdi></span>
    ${before && html`<span class="dim beside-hit" dir="auto"><${Text}>${before}</${Text}></span>`}<span class="found" dir="auto"><${Text}>${lines.join("\n")}</${Text}></span>${after && html`<span class="dim beside-hit" dir="auto"><${Text}>${after}</${Text}></span>`}</a>`;

/** Shows what a purge would delete before deleting it permanently. */
function Purge({
  named,
  label,
}: {
  named: { readonly id: string } | { readonly text: string };
  label: string;
}) {
  const { readOnly, act } = useContext(Around);
  return !readOnly && html`<button onClick=${() => act("purge", named)}>${label}</button>`;
}

interface Place {
  readonly id: string;
  readonly event: string;
  /** In ms since 1970. Without an event, the last event before this instant is highlighted. */
  readonly instant?: string;
}

function Conversation({ id, event: named, instant }: Place) {
  const { data, problem } = useData<readonly SessionEvent[]>("session", { id });
  const before = instant && data?.findLast((row) => Date.parse(row.at) <= Number(instant));
  const event = named || (before ? before.id : "");
  const chosen = (data ?? []).findIndex(
    (row) => event !== "" && [row.id, row.call].includes(event),
  );
  useInSight(".event.named", data && event);
  if (problem) return html`<${ProblemNote} problem=${problem} />`;
  if (!data) return null;
  if (data.length === 0) return html`<${Empty}>Nothing is recorded of this session.</${Empty}>`;
  return html`<article class="talk"><header><h2>${at(data[0]?.at).day} <small>${plural(data.length + data.filter(({ call }) => call).length, "event")}</small></h2><${Purge} named=${{ id }} label="Purge this session" /></header>
    <p class="dim"><code>${id}</code> · <a href=${hrefTo("given", { session: id })}>what it was given</a></p>
    <${LongList} rows=${data} chosen=${chosen} show=${(row: SessionEvent) => html`<${EventOf} row=${row} named=${event} key=${row.id} />`} /></article>`;
}

export function EventOf({ row, named }: { row: SessionEvent; named: string }) {
  const { id, call, at: when, who, text, isFolded, outcome } = row;
  const isNamed = named !== "" && (named === id || named === call);
  const [isOpen, setOpen] = useState(isNamed);
  const name = `event ${isFolded ? "" : who} ${isNamed ? "named" : ""}`;
  if (!isFolded)
    return html`<div class=${name}><p class="dim">${who} · ${at(when).time} <${Purge} named=${{ id }} label="Purge" /></p><div class="said" dir="auto"><${Text}>${text}</${Text}></div></div>`;
  const toggle = (event: Event) => setOpen((event.target as HTMLDetailsElement).open);
  return html`<details class=${name} open=${isOpen} onToggle=${toggle}><summary><time>${at(when).time}</time> <b>${who}</b>${outcome && html`<span class="tag warn">${outcome.replaceAll("_", " ")}</span>`} <bdi><${Text}>${text}</${Text}></bdi></summary>
    ${isOpen && [call, id].map((part) => part && html`<${Unfolded} id=${part} key=${part} />`)}</details>`;
}

function Unfolded({ id }: { id: string }) {
  const { data } = useData<WholeEvent>("event", { id });
  const fields = Object.entries(data?.event.content ?? {});
  return html`<dl>${fields.map(([key, value]) => html`<dt>${key}</dt><dd dir="auto"><${Text}>${typeof value === "string" ? value : JSON.stringify(value)}</${Text}></dd>`)}</dl>
    ${data?.whole && html`<pre dir="auto"><${Text}>${data.whole}</${Text}></pre>`}<${Purge} named=${{ id }} label="Purge" />`;
}
