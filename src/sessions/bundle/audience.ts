/** Removes everything that a bundle's readers may not see, before anything is scored. Pure. (docs/design/sessions.md, "The bundle") */
import {
  type BriefEvent,
  type Channel,
  identityIn,
  inTime,
  isSeenIn,
  type Kind,
  SENSITIVITIES,
  type Sensitivity,
} from "../kinds/event.ts";
import { REPLACEABLE } from "../kinds/kinds.ts";
import { resolveSupersession } from "../projections/decisions.ts";
import { isOpen, tasksOf } from "../projections/tasks.ts";
import { eventNamed } from "../storing/named-ids.ts";
import type { Material } from "./bundle.ts";
import type { Settings } from "./settings/settings.ts";

/** The readers of a channel, and the most sensitive events that they may see. */
export interface Audience {
  readonly channel: Channel;
  readonly sensitivity: Sensitivity;
}

export interface Visible {
  readonly material: Material;
  /** The number of hidden events. */
  readonly hidden: number;
  /** Ids of visible events that only hidden events replaced. They are left out too. */
  readonly replaced: readonly string[];
}

export function audienceOf(channel: Channel, { channels }: Pick<Settings, "channels">): Audience {
  return { channel, sensitivity: channels[channel].max_sensitivity };
}

export function maySee(
  audience: Audience,
  { channel, sensitivity = "none" }: Partial<Audience>,
): boolean {
  return (
    isSeenIn(audience.channel, channel) &&
    SENSITIVITIES.indexOf(sensitivity) <= SENSITIVITIES.indexOf(audience.sensitivity)
  );
}

/** The material without hidden events, references to them, and events that only they replaced. */
export function visible(material: Material, audience: Audience): Visible {
  const isSeen = (event: BriefEvent) => maySee(audience, event);
  const all = everyEventIn(material);
  const hidden = all.filter((event) => !isSeen(event));
  const replaced = supersededByHidden(material.ledger, audience);
  const isInForce = ({ id }: BriefEvent) => !replaced.has(identityIn(id));
  const mayName = namesOnly(all.filter(isSeen), hidden, audience);
  const ledger = material.ledger.filter(isSeen);
  const { found } = material;
  const hits = found?.hits.filter(
    ({ event }) => isSeen(event) && (event.kind !== "decision" || isInForce(event)),
  );
  return {
    material: {
      ...material,
      recent: material.recent.filter(isSeen),
      ledger: ledger
        .filter(isInForce)
        .map((event) => ({ ...event, refs: event.refs.filter(mayName) })),
      window: material.window.filter(isSeen),
      referred: material.referred.filter((event) => isSeen(event) && isInForce(event)),
      besideSummaries: material.besideSummaries.filter(({ event }) => isSeen(event)),
      found: found && { ...found, hits: hits ?? [] },
    },
    hidden: hidden.length,
    replaced: ledger.filter((event) => !isInForce(event)).map(({ id }) => id),
  };
}

function everyEventIn({ recent, ledger, window, referred, found }: Material): BriefEvent[] {
  const hits = found?.hits.map(({ event }) => event) ?? [];
  return [...recent, ...ledger, ...window, ...referred, ...hits];
}

/** Whether a reference may be shown. Private bundles also show references to events that weren't read, because nearly all are visible there. */
function namesOnly(
  seen: readonly BriefEvent[],
  hidden: readonly BriefEvent[],
  { channel }: Audience,
): (ref: string) => boolean {
  const shown = new Set(seen.map(({ id }) => identityIn(id)));
  const unseen = new Set(hidden.map(({ id }) => identityIn(id)));
  return (ref) => {
    const identity = identityIn(eventNamed(ref));
    return shown.has(identity) || (channel === "private" && !unseen.has(identity));
  };
}

/**
 * Identities of visible events that a bundle must not show as valid: decisions and pins whose replacements are all hidden or themselves in
 * the result, and updates of tasks that only hidden updates close. @param ledger in any order.
 */
export function supersededByHidden(
  ledger: readonly BriefEvent[],
  audience: Audience,
): ReadonlySet<string> {
  const seen = ledger.filter((event) => maySee(audience, event));
  if (seen.length === ledger.length) {
    return new Set();
  }
  const shown = new Set(seen.map(({ id }) => identityIn(id)));
  const replaced = REPLACEABLE.flatMap((kind) => [...replacedOfKind(ledger, kind, shown)]);
  const open = new Set(updatesOfOpen(ledger));
  const closed = updatesOfOpen(seen).filter((id) => !open.has(id));
  return new Set([...replaced, ...closed.map(identityIn)]);
}

/** Starts with the newest event, because a replacement is newer than the event it replaces. */
function replacedOfKind(
  ledger: readonly BriefEvent[],
  kind: Kind,
  shown: ReadonlySet<string>,
): ReadonlySet<string> {
  const replaced = new Set<string>();
  const events = resolveSupersession(inTime(ledger.filter((event) => event.kind === kind)));
  for (const { event, supersededBy } of events.toReversed()) {
    const identity = identityIn(event.id);
    const remaining = supersededBy
      .map(identityIn)
      .filter((id) => shown.has(id) && !replaced.has(id));
    if (shown.has(identity) && supersededBy.length > 0 && remaining.length === 0) {
      replaced.add(identity);
    }
  }
  return replaced;
}

function updatesOfOpen(events: readonly BriefEvent[]): string[] {
  return tasksOf(events)
    .filter(isOpen)
    .flatMap(({ updates }) => updates);
}
