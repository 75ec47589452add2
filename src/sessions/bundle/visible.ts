/** The part of the material that an audience may see: what it may not is left out before anything is scored. Pure. (docs/design/sessions.md, "The bundle") */
import { type BriefEvent, identityIn } from "../kinds/event.ts";
import { eventNamed } from "../storing/named-ids.ts";
import { type Audience, maySee } from "./audience.ts";
import type { Material } from "./gather.ts";
import { supersededByHidden } from "./superseded-by-hidden.ts";

/** The material without what may not be seen, and what only that replaced. @returns also how much is hidden, and ids of the latter. */
export function visible(material: Material, audience: Audience) {
  const shown = new Set<string>();
  const hidden = new Set<string>();
  let count = 0;
  const only = <E extends BriefEvent>(events: readonly E[]): E[] =>
    events.filter((event) => {
      const isSeen = maySee(audience, event);
      if (!isSeen) count++;
      (isSeen ? shown : hidden).add(identityIn(event.id));
      return isSeen;
    });
  const [recent, ledger] = [only(material.recent), only(material.ledger)];
  const [window, referred] = [only(material.window), only(material.referred)];
  const besideSummaries = material.besideSummaries.filter(({ event }) => maySee(audience, event));
  const hits = material.found?.hits.filter(({ event }) => only([event]).length > 0) ?? [];
  // In private, as a rule; then no reference leads to what is hidden either.
  if (audience.channel === "private" && count === 0) return { material, hidden: 0, replaced: [] };
  const replaced = supersededByHidden(material.ledger, audience);
  const holds = ({ id }: BriefEvent) => !replaced.has(identityIn(id));
  // Of what was not read nobody knows who may see it: in private nearly everything may be seen.
  const mayName = (ref: string) => {
    const identity = identityIn(eventNamed(ref));
    return shown.has(identity) || (audience.channel === "private" && !hidden.has(identity));
  };
  const found = material.found && {
    found: {
      ...material.found,
      hits: hits.filter(({ event }) => event.kind !== "decision" || holds(event)),
    },
  };
  return {
    material: {
      ...material,
      recent,
      ledger: ledger.filter(holds).map((event) => ({ ...event, refs: event.refs.filter(mayName) })),
      window,
      referred: referred.filter(holds),
      besideSummaries,
      ...found,
    },
    hidden: count,
    replaced: ledger.filter((event) => !holds(event)).map(({ id }) => id),
  };
}
