/** What an agent reads when something was recorded. Pure. */
import { oneLine } from "../../core/text.ts";
import type { AskingSession } from "../projections/asking-session.ts";
import type { BriefEvent } from "../projections/brief-event.ts";
import { decisionsOf } from "../projections/decisions.ts";
import { REDACTED } from "../redact-draft.ts";
import type { Said } from "../say.ts";

const HOW: Readonly<Record<AskingSession["how"], string>> = {
  given: "",
  newest: ", the newest of yours that is recorded; give session if it is another",
  unknown: ", of which nothing else is recorded yet",
};

/** @param ledger as it is now. */
export function saidAnswer(
  { event, isRepeated }: Said,
  how: AskingSession["how"],
  ledger: readonly BriefEvent[],
): string {
  if (!event) return "Not recorded: the same event was purged earlier, and does not come back.";
  const taken = event.tags.flatMap((tag) => (tag.startsWith(REDACTED) ? [tag.slice(REDACTED.length)] : []));
  const contested = decisionsOf(ledger).find(({ id }) => id === event.id)?.contestedBy ?? [];
  return [
    `${isRepeated ? "Already recorded" : "Recorded"}: ${event.kind} ${event.id}, session ${sessionName(event.session)}${HOW[how]}.`,
    ...(taken.length > 0 ? [`Redacted before it was stored: ${taken.map(oneLine).join(", ")}.`] : []),
    ...(contested.length > 0
      ? [
          `Contested: ${contested.join(", ")} superseded the same decision. Look at both; a decision that supersedes both settles it.`,
        ]
      : []),
  ].join("\n");
}

const SESSION_CHARACTERS = 60;

function sessionName(session: string): string {
  return oneLine(session).slice(0, SESSION_CHARACTERS);
}
