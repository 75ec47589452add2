/** Shows one candidate at a time, evidence first. You keep it, reword it, refuse it permanently, or leave it for later. */
import { useContext, useLayoutEffect, useRef, useState } from "preact/hooks";
import { plural, visibleLines } from "../../../ground/core/text.ts";
import type { InboxRow } from "../inbox.ts";
import {
  Around,
  formKeys,
  go,
  hrefTo,
  type Keys,
  stepsIn,
  useData,
  useKeys,
  type ViewProps,
} from "./data.ts";
import { Button, Empty, Fields, ProblemNote, Scrolled, useInSight } from "./parts.tsx";

export function InboxView({ params }: ViewProps) {
  const { data, problem } = useData<readonly InboxRow[]>("inbox");
  const rows = data ?? [];
  const place = useRef(0);
  let index = rows.findIndex(({ id }) => id === params.id);
  // A decision removes a candidate from the list, so the next one has the same index.
  if (params.id && index < 0) {
    index = Math.min(place.current, rows.length - 1);
  }
  index = Math.max(0, index);
  place.current = index;
  const steps = stepsIn(rows, index, ({ id }) => go("inbox", { id }, true));
  useKeys({ ...steps, s: steps.j });
  useInSight("[aria-current=true]", index);
  if (!data) {
    return <ProblemNote problem={problem} />;
  }
  const chosen = rows[index];
  if (!chosen) {
    return <Empty>Nothing to review.</Empty>;
  }
  return (
    <div class={params.id ? "split one" : "split"}>
      <section class="list" aria-label="Candidates">
        <p class="count" role="status">
          {plural(rows.length, "candidate")}
        </p>
        <Scrolled label="List of candidates">
          <ul class="plain">
            {rows.map((row) => (
              <li key={row.id}>
                <Row row={row} isChosen={row === chosen} />
              </li>
            ))}
          </ul>
        </Scrolled>
      </section>
      <section class="detail" aria-label="Candidate">
        <a class="back" href={hrefTo("inbox")}>
          All candidates
        </a>
        <One row={chosen} later={steps.j} key={chosen.id} />
      </section>
    </div>
  );
}

/** Returns the kind of a candidate, which is the name of its first fact. */
const kindOf = ({ facts }: InboxRow): string => Object.keys(facts)[0] ?? "";
const KINDS: Readonly<Record<string, string>> = {
  failed: "Failed again",
  note: "Noted",
  aged: "Names a missing file or option",
};
/** Facts that are commands. The page shows links instead. */
const LINKED = ["moment", "is"];

function Row({ row, isChosen }: { row: InboxRow; isChosen: boolean }) {
  const { id, facts, texts } = row;
  const kind = kindOf(row);
  return (
    <a class="row" href={hrefTo("inbox", { id })} aria-current={isChosen ? "true" : undefined}>
      <span class="line">
        <span class="tag warn">{kind}</span>
        <span class="dim end">{visibleLines(facts[kind] ?? "")}</span>
      </span>
      <code class="words" dir="auto">
        {visibleLines(facts.command || texts.lesson)}
      </code>
    </a>
  );
}

interface OneProps {
  readonly row: InboxRow;
  /** Goes to the next candidate. */
  readonly later: () => void;
}

function One({ row, later }: OneProps) {
  const { readOnly, act } = useContext(Around);
  const [words, setWords] = useState<string>();
  const { id, aged, texts } = row;
  const keep = () => {
    // Blank text means that the rule isn't reworded.
    if (words?.trim() === "") {
      setWords(undefined);
    } else {
      void act("keep", words ? { id, lesson: words } : { id });
    }
  };
  const never = () => act("never", { id });
  const edit = () => {
    if (aged) {
      go("lessons", { id: aged });
    } else {
      setWords(texts.lesson);
    }
  };
  const keys: Keys = { n: never, e: edit, y: aged ? undefined : keep };
  useKeys(readOnly ? {} : keys);
  return (
    <article>
      <header>
        <h2>{KINDS[kindOf(row)]}</h2>
      </header>
      <Evidence row={row} />
      <h3>
        {aged ? "The lesson" : "As a lesson"} in <bdi>{texts.topic}</bdi>
      </h3>
      <Fields texts={texts} />
      {words !== undefined && <Words words={words} setWords={setWords} keep={keep} />}
      {!readOnly && (
        <p class="buttons">
          {!aged && (
            <Button
              label="Keep"
              shortcut={words === undefined ? "y" : "Ctrl ↵"}
              kind="main"
              act={keep}
            />
          )}
          {words === undefined && (
            <Button label={aged ? "Edit or forget it" : "In your words"} shortcut="e" act={edit} />
          )}
          <Button label={aged ? "It holds" : "Never"} shortcut="n" act={never} />
          <Button label="Later" shortcut="s" act={later} />
        </p>
      )}
    </article>
  );
}

function Evidence({ row: { facts, moment, output } }: { row: InboxRow }) {
  const shown = Object.entries(facts).filter(
    ([name, text]) => text !== "" && !LINKED.includes(name),
  );
  return (
    <>
      <dl>
        {shown.map(([name, text]) => (
          <>
            <dt>{name}</dt>
            <dd dir="auto">{visibleLines(text)}</dd>
          </>
        ))}
      </dl>
      {moment && (
        <p>
          <a href={hrefTo("sessions", { id: moment.session, event: moment.event })}>the moment</a>
        </p>
      )}
      {output.length > 0 && (
        <>
          <h3>It said</h3>
          <pre dir="auto">{visibleLines(output.join("\n"))}</pre>
        </>
      )}
    </>
  );
}

interface WordsProps {
  readonly words: string;
  readonly setWords: (words: string | undefined) => void;
  readonly keep: () => void;
}

/** The field for another rule. It has the focus from the start. */
function Words({ words, setWords, keep }: WordsProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => box.current?.focus(), []);
  const onKey = formKeys(keep, () => setWords(undefined));
  return (
    <label>
      In your words
      <textarea
        ref={box}
        dir="auto"
        rows={3}
        value={words}
        onKeyDown={onKey}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
    </label>
  );
}
