/** Shows the lessons that agents were given, with the trigger and the tokens. Grouped by day, newest first. */
import { useState } from "preact/hooks";
import { groupBy } from "../../../ground/core/collections.ts";
import { plural, visibleLines } from "../../../ground/core/text.ts";
import type { GivenLesson, GivenRow } from "../lessons.ts";
import type { SessionEvent, SessionRow } from "../sessions.ts";
import { hrefTo, useData, type ViewProps } from "./data.ts";
import { at, Empty, ProblemNote } from "./parts.tsx";
import { EventOf } from "./sessions-view.tsx";

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
/** The most events to show after a lesson was given. */
const NEXT = 6;

export function GivenView({ params }: ViewProps) {
  const { data, problem } = useData<readonly GivenRow[]>("given");
  const { data: sessions = [] } = useData<readonly SessionRow[]>("sessions");
  if (!data) {
    return <ProblemNote problem={problem} />;
  }
  if (data.length === 0) {
    return (
      <Empty>
        No hook gave a lesson to an agent on this machine yet: sentinel-memory init sets the hooks.
      </Empty>
    );
  }
  const wanted = data.filter(({ session }) => !params.session || session === params.session);
  const days = groupBy(wanted.slice(0, MOST), (row) => at(row.at).day);
  return (
    <div class="page">
      <h2>What agents were given</h2>
      {[...days].map(([day, rows]) => (
        <Day day={day} rows={rows} sessions={sessions} key={day} />
      ))}
      {wanted.length > MOST && (
        <p class="dim">
          The newest {MOST} of {wanted.length} are shown.
        </p>
      )}
    </div>
  );
}

interface DayProps {
  readonly day: string;
  readonly rows: readonly GivenRow[];
  readonly sessions: readonly SessionRow[];
}

function Day({ day, rows, sessions }: DayProps) {
  const tokens = rows.reduce((sum, row) => sum + row.tokens, 0);
  return (
    <section>
      <h3>
        {day}{" "}
        <small>
          {plural(rows.length, "time")}, {plural(tokens, "token")}
        </small>
      </h3>
      <ol class="given">
        {rows.map((row) => (
          <One
            row={row}
            to={sessions.find(({ session }) => session === row.session)}
            key={row.at}
          />
        ))}
      </ol>
    </section>
  );
}

/** @param to the session that got the lessons, if it's recorded. */
function One({ row, to }: { row: GivenRow; to: SessionRow | undefined }) {
  const { at: when, event, trigger, tokens, session, lessons } = row;
  return (
    <li>
      <time>{at(when).time}</time>
      <div>
        <p>
          {WHEN[event] ?? event} <span class="tag">{trigger}</span>{" "}
          <span class="dim">
            {plural(tokens, "token")} ·{" "}
            <a href={hrefTo("sessions", { id: session, at: String(when) })}>
              session <bdi>{session.slice(0, 8)}</bdi>
            </a>
            {to && (
              <>
                {" "}
                of <bdi>{to.agent}</bdi>
              </>
            )}
          </span>
        </p>
        {to && (
          <p class="words dim" dir="auto">
            {visibleLines(to.words)}
          </p>
        )}
        <ul class="plain">
          {lessons.map((lesson) => (
            <Given lesson={lesson} key={lesson.id} />
          ))}
        </ul>
        {to && <WhatCameNext session={session} instant={when} />}
      </div>
    </li>
  );
}

function Given({ lesson: { id, topic, lesson, since } }: { lesson: GivenLesson }) {
  if (lesson === "") {
    return (
      <li class="dim">
        <code>{id.slice(0, 8)}</code> {since}
      </li>
    );
  }
  return (
    <li>
      <a href={hrefTo("lessons", { id })}>
        <bdi class="topic">{topic}</bdi> <bdi>{visibleLines(lesson)}</bdi>
      </a>{" "}
      {since && <span class="dim">{since}</span>}
    </li>
  );
}

/** The events after an instant, in ms since 1970. They're loaded when it's opened. */
function WhatCameNext({ session, instant }: { session: string; instant: number }) {
  const [isOpen, setOpen] = useState(false);
  const { data } = useData<readonly SessionEvent[]>("session", isOpen ? { id: session } : null);
  const later = (data ?? []).filter((one) => Date.parse(one.at) >= instant);
  return (
    <details class="talk" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>What came next</summary>
      {later.slice(0, NEXT).map((one) => (
        <EventOf row={one} named="" key={one.id} />
      ))}
      {data && later.length === 0 && "Nothing yet."}
    </details>
  );
}
