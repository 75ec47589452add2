/** Shows the sessions by day, one session as a conversation with its calls folded, and search hits of all sessions in context. */
import { useState } from "preact/hooks";
import { groupBy } from "../../../ground/core/collections.ts";
import { plural, visibleLines } from "../../../ground/core/text.ts";
import type { Found, SessionEvent, SessionRow, WholeEvent } from "../sessions.ts";
import { go, hrefTo, type Params, stepsIn, useData, useKeys, type ViewProps } from "./data.ts";
import {
  at,
  Change,
  Empty,
  LongList,
  ProblemNote,
  Scrolled,
  SearchBox,
  useInSight,
} from "./parts.tsx";

export function SessionsView({ params }: ViewProps) {
  const { q = "", event = "", at: instant, list = "" } = params;
  const { data, problem } = useData<readonly SessionRow[]>("sessions");
  const named = useData<WholeEvent>("event", event && !params.id ? { id: event } : null);
  const rows = data ?? [];
  const part = params.id ?? named.data?.event.session ?? "";
  const index = rows.findIndex(({ session }) => part !== "" && session.startsWith(part));
  const id = rows[index]?.session ?? part;
  const steps = stepsIn(rows, index, ({ session }) => go("sessions", { id: session }, id !== ""));
  useKeys({ ...steps, Escape: () => go("sessions", { q, list }, true) });
  if (!data) {
    return <ProblemNote problem={problem} />;
  }
  return (
    <div class={id ? "split one" : "split"}>
      <section class="list" aria-label="Sessions">
        <div class="tools">
          <SearchBox
            value={q}
            label="Search the sessions"
            onInput={(text) => go("sessions", { q: text }, true)}
          />
          <select
            aria-label="List"
            value={list}
            onChange={(change) => go("sessions", { list: change.currentTarget.value })}
          >
            <option value="">Sessions</option>
            <option value="decision">decisions</option>
            <option value="task">tasks</option>
            <option value="pin">pins</option>
          </select>
        </div>
        <List rows={rows} id={id} params={params} />
      </section>
      <section class="detail" aria-label="Session">
        {!id && <Empty>Choose a session: j and k step, / searches.</Empty>}
        {id && (
          <>
            <a class="back" href={hrefTo("sessions", { q, list })}>
              All sessions
            </a>
            <Conversation id={id} event={event} instant={instant} key={id} />
          </>
        )}
      </section>
    </div>
  );
}

interface ListProps {
  readonly rows: readonly SessionRow[];
  /** The shown session. */
  readonly id: string;
  readonly params: Params;
}

/** The decisions, tasks or pins, the hits of a search, or all sessions. */
function List({ rows, id, params }: ListProps) {
  const { q = "", list = "" } = params;
  if (list !== "") {
    return <Hits call="ledger" name={list} params={params} key={list} />;
  }
  if (q.trim() !== "") {
    return <Hits call="find" name="hit" params={params} />;
  }
  const days = groupBy(rows, ({ began }) => at(began).day);
  return (
    <Scrolled label="List of sessions">
      {[...days].map(([day, group]) => (
        <>
          <h2 class="day">{day}</h2>
          <ul class="plain">
            {group.map((row) => (
              <li key={row.session}>
                <Row row={row} isChosen={row.session === id} />
              </li>
            ))}
          </ul>
        </>
      ))}
      {rows.length === 0 && <Empty>Nothing is recorded yet.</Empty>}
    </Scrolled>
  );
}

function Row({ row, isChosen }: { row: SessionRow; isChosen: boolean }) {
  const { session, agent, began, ended, end, branches, words, facts } = row;
  return (
    <a
      class="row"
      href={hrefTo("sessions", { id: session })}
      aria-current={isChosen ? "true" : undefined}
    >
      <span class="line">
        <time>
          {at(began).time}–{at(ended).time}
        </time>{" "}
        <bdi>{agent}</bdi>
        <bdi class="topic">{branches.join(" > ")}</bdi>
        <span class="dim end">{end}</span>
      </span>
      <span class="words" dir="auto">
        {visibleLines(words || "(nothing was asked)")}
      </span>
      <span class="dim">{visibleLines(facts.join(" · "))}</span>
    </a>
  );
}

interface HitsProps {
  readonly call: "ledger" | "find";
  /** The noun for one hit, such as `decision`. */
  readonly name: string;
  readonly params: Params;
}

function Hits({ call, name, params }: HitsProps) {
  const { q = "", list = "" } = params;
  const { data = [], problem } = useData<readonly Found[]>(call, { q, list });
  if (problem) {
    return <ProblemNote problem={problem} />;
  }
  return (
    <>
      <p class="count" role="status">
        {plural(data.length, name)}{" "}
        {q && <Change call="purge" body={{ text: q }} label={`Purge all that holds “${q}”`} />}
      </p>
      <Scrolled label="Hits">
        <LongList rows={data} chosen={-1} show={(hit) => <Hit hit={hit} params={params} />} />
      </Scrolled>
    </>
  );
}

function Hit({ hit, params }: { hit: Found; params: Params }) {
  const { id, at: when, who, session, agent, lines, before, after } = hit;
  return (
    <a
      class="row"
      href={hrefTo("sessions", { ...params, id: session, event: id })}
      aria-current={id === params.event ? "true" : undefined}
    >
      <span class="line">
        <time>
          {at(when).day} {at(when).time}
        </time>{" "}
        <b>{who}</b>
        <bdi class="dim end">{agent}</bdi>
      </span>
      {before && <Neighbour text={before} />}
      <span class="found" dir="auto">
        {visibleLines(lines.join("\n"))}
      </span>
      {after && <Neighbour text={after} />}
    </a>
  );
}

function Neighbour({ text }: { text: string }) {
  return (
    <span class="dim beside-hit" dir="auto">
      {visibleLines(text)}
    </span>
  );
}

interface Place {
  readonly id: string;
  readonly event: string;
  /** In ms since 1970. Without an event, the last event before this instant is highlighted. */
  readonly instant: string | undefined;
}

function Conversation({ id, event: named, instant }: Place) {
  const { data, problem } = useData<readonly SessionEvent[]>("session", { id });
  const rows = data ?? [];
  const before = instant && rows.findLast((row) => Date.parse(row.at) <= Number(instant));
  const event = named || (before ? before.id : "");
  const chosen = rows.findIndex((row) => isNamed(row, event));
  useInSight(".event.named", data && event);
  if (!data) {
    return <ProblemNote problem={problem} />;
  }
  if (rows.length === 0) {
    return <Empty>Nothing is recorded of this session.</Empty>;
  }
  const results = rows.filter(({ call }) => call).length;
  return (
    <article class="talk">
      <header>
        <h2>
          {at(rows[0]?.at).day} <small>{plural(rows.length + results, "event")}</small>
        </h2>
        <Change call="purge" body={{ id }} label="Purge this session" />
      </header>
      <p class="dim">
        <code>{id}</code> · <a href={hrefTo("given", { session: id })}>what it was given</a>
      </p>
      <LongList
        rows={rows}
        chosen={chosen}
        show={(row) => <EventOf row={row} named={event} key={row.id} />}
      />
    </article>
  );
}

const isNamed = ({ id, call }: SessionEvent, event: string): boolean =>
  event !== "" && (event === id || event === call);

/** @param named the id of the event to highlight, or an empty text. */
export function EventOf({ row, named }: { row: SessionEvent; named: string }) {
  const mark = isNamed(row, named) ? "named" : "";
  if (row.isFolded) {
    return <Folded row={row} mark={mark} />;
  }
  const { id, at: when, who, text } = row;
  return (
    <div class={`event ${who} ${mark}`}>
      <p class="dim">
        {who} · {at(when).time} <Change call="purge" body={{ id }} label="Purge" />
      </p>
      <div class="said" dir="auto">
        {visibleLines(text)}
      </div>
    </div>
  );
}

/** An event in one line, which opens. */
function Folded({ row, mark }: { row: SessionEvent; mark: string }) {
  const { id, call, at: when, who, text, outcome } = row;
  const [isOpen, setOpen] = useState(mark !== "");
  return (
    <details
      class={`event ${mark}`}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <time>{at(when).time}</time> <b>{who}</b>
        {outcome && <span class="tag warn">{outcome.replaceAll("_", " ")}</span>}{" "}
        <bdi>{visibleLines(text)}</bdi>
      </summary>
      {isOpen && call && <Unfolded id={call} key={call} />}
      {isOpen && <Unfolded id={id} key={id} />}
    </details>
  );
}

function Unfolded({ id }: { id: string }) {
  const { data } = useData<WholeEvent>("event", { id });
  const fields = Object.entries(data?.event.content ?? {});
  return (
    <>
      <dl>
        {fields.map(([key, value]) => (
          <>
            <dt>{key}</dt>
            <dd dir="auto">
              {visibleLines(typeof value === "string" ? value : JSON.stringify(value))}
            </dd>
          </>
        ))}
      </dl>
      {data?.whole && <pre dir="auto">{visibleLines(data.whole)}</pre>}
      <Change call="purge" body={{ id }} label="Purge" />
    </>
  );
}
