/** The last that was said and done in the session. Pure. */
import type { Event } from "../../events/event.ts";
import { identityIn, shortEventId } from "../../events/event-id.ts";
import { eventText } from "../../events/event-text.ts";
import { artifactOf, block, type Candidate } from "../candidates.ts";
import { leastTokensOf, passage } from "../passage.ts";
import { whoSaid, withoutPath } from "./evidence.ts";

const MESSAGE_TOKENS = 300;
const RESULT_TOKENS = 120;
/** What is shown of other kinds stands in sections of its own. */
const NOTHING_DONE: ReadonlySet<unknown> = new Set(["cascade", "not_found"]);
const SHOWN: readonly Event["kind"][] = ["message", "tool_result"];

/**
 * @param window the newest first.
 * @param isShown whether an event stands in the evidence already, by its identity.
 */
export function windowCandidates(
  window: readonly Event[],
  terms: ReadonlySet<string>,
  isShown: (identity: string) => boolean,
): Candidate[] {
  const said = new Set<string>();
  return window
    .filter(
      ({ kind, content }) => SHOWN.includes(kind) && content.interrupted !== true && !NOTHING_DONE.has(content.outcome),
    )
    .filter(({ id, hash }) => {
      const isNew = !said.has(hash) && !isShown(identityIn(id));
      said.add(hash);
      return isNew;
    })
    .flatMap((event) => {
      const text = eventText(event);
      if (text.trim() === "") return [];
      const most = event.kind === "message" ? MESSAGE_TOKENS : RESULT_TOKENS;
      const head = `${whoSaid(event)} (${shortEventId(event.id)})`;
      return [
        {
          section: "recent_window" as const,
          place: event.id,
          refs: [event.id],
          text: () => `${head}: ${block(passage(withoutPath(text, event), terms, most))}`,
          leastTokens: leastTokensOf(text, most),
          ...artifactOf(event),
        },
      ];
    });
}
