/** Secrets of every documented kind, planted in every field of events and across the border of an excerpt, and looked for in what is stored. */
import type { Content, EventDraft } from "../../src/sessions/kinds/event.ts";
import { EXCERPT_BYTES } from "../../src/sessions/storing/cut-content.ts";
import { message } from "../contracts/event-store.ts";
import { letters, password, plainKey, providerTokens, seeded } from "./secret-samples.ts";

export const COUNT = 200;
/** A run of so many characters of a secret is a part of it. */
const RUN = 8;

export interface Planted {
  readonly secret: string;
  /** What people and tools write around it, by which it is known. */
  readonly written: string;
}

export function makeSecrets(): Planted[] {
  const random = seeded("events");
  const tokens = providerTokens(random).map(({ token }) => ({ secret: token, written: token }));
  const every = Math.max(1, Math.floor(tokens.length / (COUNT * 0.7)));
  const guesses = Array.from({ length: COUNT }, (_, at): Planted => {
    const secret =
      at % 2 === 0 ? `${password(random)}${letters(random, "w", 4)}` : plainKey(random);
    const written =
      [`password: ${secret}`, `export API_KEY=${secret}`, `Authorization: Bearer ${secret}`][
        at % 3
      ] ?? "";
    return { secret, written };
  });
  return [...tokens.filter((_, at) => at % every === 0).slice(0, COUNT * 0.7), ...guesses].slice(
    0,
    COUNT,
  );
}

const LINE = "step 17 of the build took 3 seconds and wrote nothing\n";

/** What is written stands across the place where an excerpt of it ends. */
function acrossBorder(written: string, share: number): string {
  const border = Math.floor(EXCERPT_BYTES * share);
  const before = LINE.repeat(2 * EXCERPT_BYTES).slice(0, border - Math.floor(written.length / 2));
  return `${before} ${written} ${LINE.repeat(2 * EXCERPT_BYTES).slice(0, EXCERPT_BYTES)}`;
}

const FIELDS: readonly ((
  planted: Planted,
) => Partial<EventDraft> & { readonly content?: Content })[] = [
  ({ written }) => ({ content: { text: `Use ${written} for it.` } }),
  ({ written }) => ({
    kind: "tool_result",
    content: { tool: "Bash", text: `${LINE}${written}\n${LINE}` },
  }),
  ({ written }) => ({
    kind: "tool_call",
    content: { tool: "Bash", input: { command: `echo ${written} | tool` } },
  }),
  ({ written }) => ({
    kind: "tool_call",
    content: { tool: "Bash", input: { [written]: [1, { deep: [written] }] } },
  }),
  ({ written }) => ({
    kind: "tool_result",
    content: { tool: "Read", path: `/home/jo/${written}.txt`, text: LINE },
  }),
  ({ written }) => ({ kind: "summary", content: { text: LINE.repeat(3), covers: written } }),
  ({ written }) => ({
    kind: "decision",
    content: { decision: "keep it", alternatives: ["nothing", `set ${written}`] },
  }),
  ({ written }) => ({ tags: ["topic:a", written], refs: [written] }),
  ({ written }) => ({
    place: { branch: `fix/${written}`, cwd: `/home/jo/${written}`, worktree: written },
  }),
  ({ written }) => ({
    session: written,
    agent: `agent ${written}`,
    actor: { type: "agent", id: written },
  }),
  ({ written }) => ({ origin: `client ${written}` }),
  ({ secret }) => ({
    kind: "tool_call",
    content: { tool: "Login", input: { user: "jo", password: secret } },
  }),
];
/** Long texts take long to redact, so fewer of them. */
const LONG_TEXTS: typeof FIELDS = [
  ({ written }) => ({
    kind: "tool_result",
    content: { tool: "Bash", text: acrossBorder(written, 0.6) },
  }),
  ({ written }) => ({ content: { text: acrossBorder(written, 0.6) } }),
  ({ written }) => ({
    kind: "tool_call",
    content: { tool: "Write", input: { content: acrossBorder(written, 1) } },
  }),
];

/** An event with each of the secrets. */
export function draftsWith(secrets: readonly Planted[]): EventDraft[] {
  return secrets.map((planted, at) => {
    const fields = at % 17 === 0 ? LONG_TEXTS : FIELDS;
    const { written } = planted;
    // A name or a path holds what is known by itself; what is known by its neighbour stands in a text.
    const isGuess = planted.secret !== written;
    const field = (isGuess ? fields.slice(0, 3) : fields)[
      Math.floor(at / 3) % (isGuess ? 3 : fields.length)
    ];
    return message(`number ${at}`, at, { origin: `line ${at}`, ...field?.(planted) });
  });
}

/** Of each secret that left one, a run that stands in a text. */
export function runsLeft(
  secrets: readonly Planted[],
  text: string,
): { run: string; written: string }[] {
  // A tag names the kind of what was taken out, as its provider does in what its tokens begin with.
  const searched = text.replaceAll(/"redacted:[\w-]+"/g, "");
  const there = new Set<string>();
  for (let at = 0; at + RUN <= searched.length; at++) {
    there.add(searched.slice(at, at + RUN));
  }
  return secrets.flatMap(({ secret, written }) => {
    const run = [...runsOf(secret), ...runsOf(escaped(secret))].find((part) => there.has(part));
    return run === undefined ? [] : [{ run, written }];
  });
}

function runsOf(secret: string): string[] {
  return Array.from({ length: Math.max(1, secret.length - RUN + 1) }, (_, at) =>
    secret.slice(at, at + RUN),
  );
}

/** As it stands in JSON. */
export function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
