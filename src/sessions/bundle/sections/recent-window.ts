import { speakerLabel } from "../../answers/render.ts";
import { type Event, eventText, identityIn, shortEventId } from "../../kinds/event.ts";
import { kindNamed } from "../../kinds/kinds.ts";
import type { Candidate } from "../candidates.ts";
import { quoteOf } from "./evidence.ts";

const NOTHING_DONE: ReadonlySet<unknown> = new Set(["cascade", "not_found"]);

/** @param window the newest first. @param isShown whether the evidence already has the event with an identity. */
export function windowCandidates(
  window: readonly Event[],
  terms: ReadonlySet<string>,
  isShown: (identity: string) => boolean,
): Candidate[] {
  const said = new Set<string>();
  return window
    .filter(({ content }) => content.interrupted !== true && !NOTHING_DONE.has(content.outcome))
    .filter(({ id, hash }) => {
      const isNew = !said.has(hash) && !isShown(identityIn(id));
      said.add(hash);
      return isNew;
    })
    .flatMap((event) => {
      const text = eventText(event);
      const most = kindNamed(event.kind)?.windowTokens;
      if (most === undefined || text.trim() === "") return [];
      const head = `${speakerLabel(event)} (${shortEventId(event.id)})`;
      return [
        {
          section: "recent_window" as const,
          place: event.id,
          refs: [event.id],
          ...quoteOf(event, text, head, terms, most),
        },
      ];
    });
}
