/** Shows the bundle for a query: the tokens of each section, each item with its source, and the omissions. */
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { plural } from "../../../ground/core/text.ts";
import type { Bundle, BundleSection } from "../../../sessions/bundle/bundle.ts";
import { go, hrefTo, type Route, useData } from "./data.ts";
import { ProblemNote, SearchBox } from "./parts.ts";

const PAUSE_MS = 250;

export function BundleView({ params: { q = "" } }: Pick<Route, "params">) {
  const [asked, setAsked] = useState(q);
  // Update the address on every letter, because each reply redraws the search box from it. Only the request is delayed.
  useEffect(() => {
    const timer = setTimeout(() => setAsked(q), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [q]);
  const { data, problem } = useData<Bundle>("bundle", { q: asked });
  return html`<div class="page"><h2>What would an agent get?</h2><${SearchBox} value=${q} label="What is to be done" onInput=${(text: string) => go("bundle", { q: text }, true)} />
    ${problem && html`<${ProblemNote} problem=${problem} />`}${data && html`<${Whole} bundle=${data} />`}</div>`;
}

function Whole({ bundle }: { bundle: Bundle }) {
  const { sections, budget_tokens: budget, token_used_est: used, omissions, provenance } = bundle;
  return html`<p class="dim">${used.toLocaleString("en")} of ${plural(budget, "token")} · ${provenance.intent.replaceAll("_", " ")}</p>
    ${sections.map((section) => html`<${Section} section=${section} />`)}
    ${omissions.length > 0 && html`<h3>Left out</h3><ul class="plain">${omissions.map(({ reason, section, count: number, note }) => html`<li>${number} · ${reason.replaceAll("_", " ")}${section ? ` · ${section.replaceAll("_", " ")}` : ""}${note ? ` · ${note}` : ""}</li>`)}</ul>`}`;
}

const Section = ({ section: { name, token_est: tokens, items } }: { section: BundleSection }) =>
  html`<section><h3>${name.replaceAll("_", " ")} <small>${plural(tokens, "token")}</small></h3>
    ${items.map(({ text, refs }) => html`<div class="card"><pre dir="auto">${text}</pre><p class="dim">${refs.map((ref) => html`${placeOf(ref)} `)}</p></div>`)}</section>`;

/** Returns a link to the source of an item. */
function placeOf(ref: string) {
  const event = /evt_\w{26}/.exec(ref)?.[0];
  const href = event
    ? hrefTo("sessions", { event })
    : /^[0-9a-f]{16}/.test(ref)
      ? hrefTo("lessons", { id: ref.slice(0, 16) })
      : undefined;
  return href ? html`<a href=${href}><code>${ref}</code></a>` : html`<code>${ref}</code>`;
}
