import { instantOfAge } from "../../../ground/core/time.ts";
import { decisionsAnswer } from "../../answers/decisions-answer.ts";
import { audienceOf, maySee } from "../../bundle/audience.ts";
import { replacedUnseen } from "../../bundle/replaced-unseen.ts";
import { readSettings } from "../../bundle/settings/settings.ts";
import type { BriefEvent } from "../../kinds/brief-event.ts";
import { identityIn } from "../../kinds/event-id.ts";
import { withRefsNow } from "../../projections/current-refs.ts";
import { decisionsOf } from "../../projections/decisions.ts";
import { findDecisions } from "../../projections/find-decisions.ts";
import type { SessionAnswer, SessionToolContext } from "../context.ts";
import type { Input } from "./definition.ts";

export async function handle(
  { query, status, since, channel = "private" }: Input,
  { record, budget }: SessionToolContext,
): Promise<SessionAnswer> {
  const earliest = since === undefined ? undefined : instantOfAge(since, Date.now());
  const { store, project } = await record();
  const [ledger, settings] = await Promise.all([store.brief("ledger"), readSettings(project)]);
  const audience = audienceOf(channel, settings);
  const isSeen = (event: BriefEvent) => maySee(audience, event);
  const replaced = replacedUnseen(ledger, audience);
  const known = decisionsOf(ledger.filter((event) => isSeen(event) && !replaced.has(identityIn(event.id))));
  const found = findDecisions(known, { query, status, since: earliest });
  return { text: decisionsAnswer(await withRefsNow(found, store, isSeen), known.length, budget) };
}
