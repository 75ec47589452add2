/** What the start of a session carries of the session before it: its request, the file that it changed last, a failure that was open. */
import { join } from "node:path";
import { estimateTokens } from "../src/ground/core/tokens.ts";
import { contextFolder } from "../src/ground/project/context-folder.ts";
import { SHOWN } from "../src/lessons/hooks/limits.ts";
import { logTokens, readMemoryPolicy } from "../src/lessons/policy.ts";
import { readBriefs } from "../src/sessions/files/briefs.ts";
import { whereWeStopped } from "../src/sessions/resume/notes/where-we-stopped.ts";
import type { Line } from "./coding-sessions.ts";
import { normal } from "./compactions-truth.ts";
import { type Stood, stoodLast } from "./start-truth.ts";
import { quantile, type Row, round } from "./table.ts";
import type { Client, TwoClientsRecord } from "./two-clients-record.ts";

/** The start of a session, and what stood before it. */
export interface Start {
  readonly text: string;
  readonly stood: Stood;
  /** Whether the sessions are of different clients. */
  readonly isFromOther: boolean;
  readonly last: Client;
}

const OPEN = "not settled:";

/** The starts of all sessions with another one before them; afterwards the session log has all of them. */
export async function startsOf(
  record: TwoClientsRecord,
  sessions: readonly (readonly Line[])[],
  cwd: string,
  clientOf: (index: number) => Client,
): Promise<Start[]> {
  const { values } = await readMemoryPolicy(contextFolder(join(record.project, ".context")));
  const budget = { ...SHOWN, tokens: logTokens(values) };
  const clients = new Map(sessions.map((lines, index) => [lines[0]?.session, clientOf(index)]));
  const starts: Start[] = [];
  for (const [first] of sessions) {
    const { session = "", ts = "" } = first ?? {};
    const stood = stoodLast(sessions, ts, cwd);
    if (!stood) continue;
    await record.until(ts);
    const now = Date.parse(ts);
    const events = await readBriefs(record.folder, "recent", now);
    const start = { session, branch: "main", now, command: "sentinel-memory" };
    const text = (whereWeStopped(events, start, budget) ?? "").replaceAll(record.project, cwd);
    const last = clients.get(stood.session) ?? "claude-code";
    starts.push({ text, stood, last, isFromOther: last !== clients.get(session) });
  }
  return starts;
}

export function rowOf(of: Row, starts: readonly Start[]): Row {
  const tokens = starts.map(({ text }) => estimateTokens(text));
  return {
    ...of,
    starts: starts.length,
    request: carried(starts, ({ request }) => request),
    "last file edited": carried(starts, ({ file }) => file),
    "open failure": carried(starts, ({ failure }) => failure),
    "failure told, none open": starts.filter(
      ({ text, stood }) => text.includes(OPEN) && !stood.failure,
    ).length,
    "tokens p50": quantile(tokens, 0.5),
    "tokens most": Math.max(0, ...tokens),
  };
}

/** In how many starts the text names a fact, of those in which there was one. */
function carried(
  starts: readonly Start[],
  wantedOf: (stood: Stood) => readonly string[] | undefined,
): string {
  const stood = starts.flatMap(({ text, stood }) => {
    const wanted = wantedOf(stood);
    return wanted ? [wanted.every((part) => normal(text).includes(part))] : [];
  });
  const told = stood.filter(Boolean).length;
  return stood.length === 0
    ? "0 of 0"
    : `${told} of ${stood.length} (${round((100 * told) / stood.length, 1)} %)`;
}
