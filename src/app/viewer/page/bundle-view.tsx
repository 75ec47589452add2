/** Shows the bundle for a query: the tokens of each section, each item with its source, and the omissions. */
import { useEffect, useState } from "preact/hooks";
import { plural } from "../../../ground/core/text.ts";
import type { Bundle, BundleSection } from "../../../sessions/bundle/bundle.ts";
import { go, hrefTo, useData, type ViewProps } from "./data.ts";
import { ProblemNote, SearchBox } from "./parts.tsx";

const PAUSE_MS = 250;

export function BundleView({ params: { q = "" } }: ViewProps) {
  const [asked, setAsked] = useState(q);
  // Update the address on every letter, because each reply redraws the search box from it. Only the request is delayed.
  useEffect(() => {
    const timer = setTimeout(() => setAsked(q), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [q]);
  const { data, problem } = useData<Bundle>("bundle", { q: asked });
  return (
    <div class="page">
      <h2>What would an agent get?</h2>
      <SearchBox value={q} label="The task" onInput={(text) => go("bundle", { q: text }, true)} />
      <ProblemNote problem={problem} />
      {data && <Whole bundle={data} />}
    </div>
  );
}

function Whole({ bundle }: { bundle: Bundle }) {
  const { sections, budget_tokens: budget, token_used_est: used, omissions, provenance } = bundle;
  return (
    <>
      <p class="dim">
        {used.toLocaleString("en")} of {plural(budget, "token")} · {spaced(provenance.intent)}
      </p>
      {sections.map((section) => (
        <Section section={section} key={section.name} />
      ))}
      {omissions.length > 0 && <h3>Left out</h3>}
      <ul class="plain">
        {omissions.map(({ reason, section, count, note }) => (
          <li>{[count, spaced(reason), spaced(section), note].filter(Boolean).join(" · ")}</li>
        ))}
      </ul>
    </>
  );
}

const spaced = (name = ""): string => name.replaceAll("_", " ");

function Section({ section: { name, token_est: tokens, items } }: { section: BundleSection }) {
  return (
    <section>
      <h3>
        {spaced(name)} <small>{plural(tokens, "token")}</small>
      </h3>
      {items.map(({ text, refs }) => (
        <div class="card">
          <pre dir="auto">{text}</pre>
          <p class="dim">
            {refs.map((ref) => (
              <>
                <Source reference={ref} />{" "}
              </>
            ))}
          </p>
        </div>
      ))}
    </section>
  );
}

/** A link to the source of an item. */
function Source({ reference }: { reference: string }) {
  const code = <code>{reference}</code>;
  const event = /evt_\w{26}/.exec(reference)?.[0];
  if (event) {
    return <a href={hrefTo("sessions", { event })}>{code}</a>;
  }
  const lesson = /^[0-9a-f]{16}/.exec(reference)?.[0];
  if (lesson) {
    return <a href={hrefTo("lessons", { id: lesson })}>{code}</a>;
  }
  return code;
}
