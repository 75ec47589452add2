/** Small parts that all views use. Stored text is only used as the content of a text node, with its own text direction. */
import type { ComponentChildren } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { visibleLines } from "../../../ground/core/text.ts";
import { FIELDS } from "../fields.ts";
import type { LessonTexts } from "../lessons.ts";
import { Around, type Problem } from "./data.ts";

interface Children {
  readonly children?: ComponentChildren;
}

/** Shows a lesson's texts. @param unlike another version, to mark the texts that differ. */
export function Fields({ texts, unlike }: { texts: LessonTexts; unlike?: LessonTexts }) {
  const filled = FIELDS.filter(([name]) => texts[name] !== "");
  return (
    <dl>
      {filled.map(([name, label]) => (
        <>
          <dt>{label}</dt>
          <dd dir="auto" class={unlike && unlike[name] !== texts[name] ? "unlike" : name}>
            {visibleLines(texts[name])}
          </dd>
        </>
      ))}
    </dl>
  );
}

/** Shows why there is no data. Nothing while it's loaded. */
export function ProblemNote({ problem }: { problem: Problem | undefined }) {
  if (!problem) {
    return null;
  }
  return (
    <div class="empty" role="status">
      <p>{problem.message}</p>
      <p class="dim">{problem.fix}</p>
    </div>
  );
}

export function Empty({ children }: Children) {
  return (
    <div class="empty">
      <p>{children}</p>
    </div>
  );
}

interface ButtonProps {
  readonly label: string;
  /** The key that does the same. */
  readonly shortcut?: string;
  readonly kind?: "main";
  readonly act: () => unknown;
}

export function Button({ label, shortcut, kind, act }: ButtonProps) {
  return (
    <button type="button" class={kind} onClick={act}>
      {label} {shortcut && <kbd>{shortcut}</kbd>}
    </button>
  );
}

/** The part of a view that scrolls. It can have the focus, so that keys scroll it. */
export function Scrolled({ label, children }: Children & { label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without a mouse, only a focused region scrolls
    <section class="long" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}

/** Returns an instant as day and minute in local time. @param instant ISO 8601, or in ms since 1970. */
export function at(instant: string | number | undefined): {
  readonly day: string;
  readonly time: string;
} {
  const date = new Date(instant ?? Number.NaN);
  if (Number.isNaN(date.getTime())) {
    return { day: "undated", time: "" };
  }
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return { day, time: `${two(date.getHours())}:${two(date.getMinutes())}` };
}

/** Scrolls an element into view. */
export function useInSight(selector: string, key: unknown): void {
  useEffect(() => document.querySelector(selector)?.scrollIntoView({ block: "nearest" }), [key]);
}

interface ChangeProps {
  readonly call: string;
  readonly body: object;
  readonly label: string;
}

/** A button that makes a change. It's missing if the page is read-only. */
export function Change({ call, body, label }: ChangeProps) {
  const { readOnly, act } = useContext(Around);
  if (readOnly) {
    return null;
  }
  return <Button label={label} act={() => act(call, body)} />;
}

interface Search {
  readonly value: string;
  readonly label: string;
  readonly onInput: (text: string) => void;
}

export function SearchBox({ value, label, onInput }: Search) {
  return (
    <input
      type="search"
      class="search"
      dir="auto"
      placeholder={`${label}  /`}
      aria-label={label}
      value={value}
      onInput={(event) => onInput(event.currentTarget.value)}
    />
  );
}

interface Rows<Row> {
  readonly rows: readonly Row[];
  /** The index of the row that must be in the list. -1 for none. */
  readonly chosen: number;
  readonly show: (row: Row) => ComponentChildren;
}

const FIRST_ROWS = 300;

/** A list of any length. It begins with the first rows, and a button adds more. */
export function LongList<Row>({ rows, chosen, show }: Rows<Row>) {
  const [most, setMost] = useState(FIRST_ROWS);
  const shown = Math.max(most, chosen + FIRST_ROWS);
  const left = rows.length - shown;
  return (
    <>
      <ul class="plain">
        {rows.slice(0, shown).map((row) => (
          <li>{show(row)}</li>
        ))}
      </ul>
      {left > 0 && (
        <button type="button" class="more" onClick={() => setMost(shown + FIRST_ROWS)}>
          {left.toLocaleString("en")} more
        </button>
      )}
    </>
  );
}
