/** Who calls, as a token says, and what that one may do. No field of a call changes it. */
import type { IncomingMessage } from "node:http";
import * as z from "zod";
import { SentinelError } from "../../ground/core/errors.ts";
import type { United } from "../../lessons/changes/unite.ts";
import type { Snapshot } from "../../lessons/merge/fold.ts";
import type { SharedTexts } from "../../sessions/bundle/settings/shared-texts.ts";
import type { Channel, EventDraft } from "../../sessions/kinds/event.ts";
import type { EventStore } from "../../sessions/store.ts";
import { isSeenIn } from "../../sessions/storing/channel-circles.ts";
import { isNamed } from "../../sessions/tools/usual-names.ts";

export interface TokenOptions {
  /** The token is good for its tenants; that of the tenant where it is absent. */
  readonly group?: string | undefined;
  /** The token is good for this one alone. */
  readonly tenant?: string | undefined;
  /** The person. */
  readonly owner: string;
  /**
   * The most private channel that is read: `public` gives what is public, `team` also what anybody of the tenant recorded for the team, `agent`
   * also what this person recorded for agents, and `private` all that this person recorded. No further than `team`, as long as it is the
   * operator's and not one that the person made of it.
   */
  readonly channel: Channel;
  /** `write` may do everything with the session log, `read` changes nothing; `metrics` sees how a daemon does, `lessons` pushes lessons, and nothing else. */
  readonly scope: "write" | "read" | "metrics" | "lessons";
  /** ISO 8601; in 90 days where it is absent. */
  readonly expiresAt?: string | undefined;
}

/** An act on tokens or on what was recorded. */
export interface Audited {
  /** A time in ISO 8601, where it comes over the network. */
  readonly at: Date | string;
  /** The person whom it concerns; all of the group where it is null. */
  readonly person: string | null;
  /** The person who did it; the operator where it is null. */
  readonly by: string | null;
  readonly act: string;
  readonly what: string;
}

export interface Caller extends Pick<TokenOptions, "owner" | "channel" | "scope"> {
  /** Of the token, which may be shown. */
  readonly id: string;
  /** The one that the call names, or the only one; null where neither is one that the token is good for. */
  readonly tenant: string | null;
  /** All that it is good for. */
  readonly tenants: readonly string[];
  readonly expiresAt: Date | null;
  /** Whether the person made the token, and not the operator. */
  readonly own: boolean;
}

export interface Callers<Known extends Caller = Caller> {
  /** Undefined for a token that is not one, was revoked, or is over its time. @param tenant the one that the call names. */
  find(token: string, tenant: string | undefined): Promise<Known | undefined>;
  /** @throws SentinelError `bad_argument` where it is not clear for which tenant. */
  open(caller: Known): Promise<Opened>;
  /** Makes a token in place of the caller's, which ends after so many hours. */
  rotate(caller: Known, overlapHours: number): Promise<unknown>;
  audit(caller: Known): Promise<readonly Audited[]>;
}

/** A caller, and all that this one reaches. */
export interface Opened {
  readonly caller: Caller;
  readonly events: EventStore;
  /** Its tenant shares this besides. */
  readonly shared: () => Promise<Shared>;
  /** @throws SentinelError `stale_reference` where another push came first, `too_large`, `privacy_unreadable`. */
  readonly push: (push: z.output<typeof PUSH>) => Promise<United>;
}

export interface Shared {
  readonly texts: SharedTexts;
  /** Undefined where none were pushed, or the caller may not see them. */
  readonly lessons: Snapshot | undefined;
  /** How many pushes there were, and the commit whose lessons the last one brought. */
  readonly number: number;
  readonly commit: string | null;
}

/** A push of lessons: the number of the last one that its caller knows, and the text of the memory file at a commit. */
export const PUSH = z.strictObject({
  after: z.int().min(0),
  commit: z.string().regex(/^[0-9a-f]{40,64}$/),
  lines: z.string(),
});

/** The token of a call. @throws SentinelError `unauthorised` */
export function tokenOf({ headers }: IncomingMessage): string {
  const [, token] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "") ?? [];
  if (token === undefined) throw unauthorised("The call has no token.");
  return token;
}

export function unauthorised(what: string): SentinelError {
  const fix = "Get a token from the daemon's operator, and send it as Authorization: Bearer TOKEN.";
  return new SentinelError("unauthorised", what, fix);
}

/** @throws SentinelError `not_allowed` */
export function mustHaveScope({ scope }: Caller, ...scopes: readonly Caller["scope"][]): void {
  if (scopes.includes(scope)) return;
  throw notAllowed(`The scope of this token is ${scope}.`, "Use one that may do this.");
}

/** The tenant of a call. @throws SentinelError `bad_argument` where it is not clear. */
export function mustHaveTenant({ tenant, tenants }: Caller): string {
  if (tenant !== null) return tenant;
  const whose = `The call names no tenant that its token is good for: ${tenants.join(", ") || "there is none any more"}.`;
  throw new SentinelError(
    "bad_argument",
    whose,
    "Name one in the address of the daemon, as https://NAME/t/TENANT.",
  );
}

/** As events call the person whose token it is. */
const PERSON = "user";

/** Drafts of no other person, in channels of the token; one that names none goes to the token's. @throws SentinelError `not_allowed` */
export function allowedDrafts(
  drafts: readonly EventDraft[],
  { channel, owner }: Caller,
): readonly EventDraft[] {
  if (
    drafts.some(({ actor }) => actor?.type === "human" && actor.id !== PERSON && actor.id !== owner)
  )
    throw notAllowed(
      `This token speaks for ${owner} alone.`,
      `A human actor has the id "${PERSON}" or "${owner}".`,
    );
  if (drafts.some((draft) => draft.channel !== undefined && !isSeenIn(channel, draft.channel)))
    throw notAllowed(
      `This token records up to the channel ${channel}.`,
      "Record in that one, or use another token.",
    );
  return drafts.map((draft) => ({ ...draft, channel: draft.channel ?? channel }));
}

/** A body without the identity that it repeats. @throws SentinelError `bad_argument` where that is not the token's. */
export function withoutIdentity(body: unknown, { tenant, owner }: Caller): unknown {
  if (!isNamed(body)) return body;
  const { tenant_id = tenant, agent_id = owner, ...others } = body;
  if (tenant_id !== tenant) throw notOfToken("tenant_id", "tenant");
  if (agent_id !== owner) throw notOfToken("agent_id", "person");
  return others;
}

function notOfToken(field: string, what: string): SentinelError {
  const said = `${field} does not name the ${what} of this token, and the token alone says whose a call is.`;
  return new SentinelError(
    "bad_argument",
    said,
    `Leave ${field} out, or use a token of that ${what}.`,
  );
}

const notAllowed = (what: string, fix: string): SentinelError =>
  new SentinelError("not_allowed", what, fix);
