/** Identifies the caller of a daemon, and the permissions of the caller's token. */
import type { IncomingMessage } from "node:http";
import { isObject } from "../../ground/core/collections.ts";
import { SentinelError } from "../../ground/core/errors.ts";
import { NO_OWN_WORDS } from "../../ground/redaction/own-words.ts";
import type { Snapshot } from "../../lessons/merge/versions.ts";
import type { SharedTexts } from "../../sessions/bundle/settings/settings.ts";
import { type Channel, type EventDraft, isSeenIn } from "../../sessions/kinds/event.ts";
import type { EventStore } from "../../sessions/store.ts";
import type { Recording } from "../../sessions/tools/recording.ts";

export interface TokenOptions {
  readonly tenant: string;
  /** The person. */
  readonly owner: string;
  /**
   * The most private channel to read and record in. A token from the operator reaches `team` at most. A token that the person made from it
   * reaches this channel.
   */
  readonly channel: Channel;
  /** `write` allows everything with the session log, `read` allows no changes, and `metrics` only allows reading the metrics. */
  readonly scope: "write" | "read" | "metrics";
  /** ISO 8601. The default is in 90 days. */
  readonly expiresAt?: string | undefined;
}

/** An action on a token. */
export interface Audited {
  /** ISO 8601 if it was received over the network. */
  readonly at: Date | string;
  readonly person: string;
  /** The person who did it. Null for the operator. */
  readonly by: string | null;
  readonly act: string;
  /** The id of the token. */
  readonly token: string;
  readonly what: string;
}

export interface Caller extends Omit<TokenOptions, "expiresAt"> {
  /** The id of the token, which may be shown. */
  readonly id: string;
  readonly expiresAt: Date | null;
  /** Whether the person created the token. Otherwise the operator did. */
  readonly own: boolean;
  /** The privacy.yaml of the tenant. */
  readonly privacy: string;
}

export interface Callers {
  /** Returns undefined for a token that is wrong, revoked or expired. */
  find(token: string): Promise<Caller | undefined>;
  open(caller: Caller): Opened;
}

/** A caller, and everything that the token gives access to. */
export interface Opened {
  readonly caller: Caller;
  readonly events: EventStore;
  readonly shared: () => Promise<Shared>;
  /** Replaces the caller's token, which ends after some hours. */
  readonly rotate: (overlapHours: number) => Promise<unknown>;
  readonly audit: () => Promise<readonly Audited[]>;
}

/** The texts that an operator set for a tenant. */
export interface Shared {
  readonly texts: SharedTexts;
  /** Undefined if there are no lessons, or the caller may not read them. */
  readonly lessons: Snapshot | undefined;
}

/** Returns the token of a call. @throws SentinelError `unauthorised` */
export function tokenOf({ headers }: IncomingMessage): string {
  const [, token] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "") ?? [];
  if (token === undefined) {
    throw unauthorised("The call has no token.");
  }
  return token;
}

export function unauthorised(what: string): SentinelError {
  const fix = "Get a token from the daemon's operator, and send it as Authorization: Bearer TOKEN.";
  return new SentinelError("unauthorised", what, fix);
}

/** @throws SentinelError `not_allowed` */
export function mustHaveScope({ scope }: Caller, ...scopes: readonly Caller["scope"][]): void {
  if (scopes.includes(scope)) {
    return;
  }
  throw notAllowed(`The scope of this token is ${scope}.`, "Use one that may do this.");
}

/** The name of the token's person in events. */
const PERSON = "user";

/**
 * Returns the drafts with a channel each. A draft without a channel gets the token's.
 * @throws SentinelError `not_allowed` for another person's draft, or for a channel more private than the token's.
 */
export function allowedDrafts(
  drafts: readonly EventDraft[],
  { channel, owner }: Caller,
): readonly EventDraft[] {
  for (const draft of drafts) {
    const { actor } = draft;
    if (actor?.type === "human" && actor.id !== PERSON && actor.id !== owner) {
      throw notAllowed(
        `This token speaks for ${owner} alone.`,
        `A human actor has the id "${PERSON}" or "${owner}".`,
      );
    }
    if (draft.channel !== undefined && !isSeenIn(channel, draft.channel)) {
      throw notAllowed(
        `This token records up to the channel ${channel}.`,
        "Record in that one, or use another token.",
      );
    }
  }
  return drafts.map((draft) => ({ ...draft, channel: draft.channel ?? channel }));
}

/** Removes the caller's identity from a body. @throws SentinelError `bad_argument` if it isn't the token's. */
export function withoutIdentity(body: unknown, { tenant, owner }: Caller): unknown {
  if (!isObject(body)) {
    return body;
  }
  const { tenant_id = tenant, agent_id = owner, ...others } = body;
  if (tenant_id !== tenant) {
    throw notOfToken("tenant_id", "tenant");
  }
  if (agent_id !== owner) {
    throw notOfToken("agent_id", "person");
  }
  return others;
}

function notOfToken(field: string, what: string): SentinelError {
  return new SentinelError(
    "bad_argument",
    `${field} differs from the ${what} of this token. Only the token decides who calls.`,
    `Omit ${field}, or use a token of that ${what}.`,
  );
}

/** The session log for the tools of a caller without a clone. @param agent the client's name in events. */
export async function recordingOf(
  { caller, events: store, shared }: Opened,
  agent: string,
): Promise<Recording> {
  const { texts, lessons } = await shared();
  return {
    project: texts,
    lessons: lessons && { read: async () => lessons },
    store,
    // A person's own words stay in the person's clone.
    ownWords: NO_OWN_WORDS,
    agent,
    channel: caller.channel,
    // The daemon can't read transcripts on the caller's machine.
    catchUp: async () => {},
    fallback: `${caller.id.slice(0, 8)}-mcp`,
    place: async () => ({}),
    append: async (draft) => (await store.append(allowedDrafts([draft], caller)))[0],
  };
}

function notAllowed(what: string, fix: string): SentinelError {
  return new SentinelError("not_allowed", what, fix);
}
