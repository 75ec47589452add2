/** What searches find of conversations, on Postgres and in files: the same ranking over the same events. */
import { join } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { postgresEventStore } from "../../src/daemon/postgres/event-store.ts";
import { jsonlEventStore } from "../../src/sessions/files/store.ts";
import type { EventDraft } from "../../src/sessions/kinds/event.ts";
import type { EventStore } from "../../src/sessions/store.ts";
import { migratedDatabase, type Postgres, poolOf } from "../../test/support/postgres-server.ts";
import { removeFolder, scratchFolder } from "../../test/support/scratch.ts";
import { UNREDACTED } from "../../test/support/unredacted.ts";
import { type Conversation, readConversations } from "../support/locomo.ts";
import { Quality } from "../support/quality.ts";
import type { Section } from "../support/table.ts";

const HITS = 200;

/** @param data see bench:recall. */
export async function measureRecall(postgres: Postgres, data: string): Promise<Section> {
  const conversations = readConversations(data);
  const folder = scratchFolder("recall");
  const pool = poolOf(postgres.port, "daemon", await migratedDatabase(postgres));
  const parts = { redactor: UNREDACTED, now: Date.now };
  const opens: Record<string, (number: number) => EventStore> = {
    "in files": (number) => jsonlEventStore({ folder: join(folder, String(number)), ...parts }),
    "on Postgres": (number) =>
      postgresEventStore({
        pool,
        tenant: `tenant ${number}`,
        owner: "ann",
        channel: "private",
        ...parts,
      }),
  };
  const rows = [];
  for (const [record, open] of Object.entries(opens)) {
    const quality = new Quality();
    for (const [number, conversation] of conversations.entries()) {
      await ask(open(number), conversation, quality);
    }
    rows.push({ record, ...quality.means() });
  }
  await pool.end();
  removeFolder(folder);
  return { title: "Conversations: evidence found, in %. Goal: R@10 within 1.0", rows };
}

async function ask(
  store: EventStore,
  { turns, questions }: Conversation,
  quality: Quality,
): Promise<void> {
  await store.append(
    turns.map(
      ({ id, session, text }, at): EventDraft => ({
        ts: new Date(Date.UTC(2026, 0, 1) + 1_000 * at).toISOString(),
        session,
        agent: "agent",
        actor: { type: "human", id: "human" },
        kind: "message",
        content: { text },
        origin: id,
      }),
    ),
  );
  while (await store.prepareSearch()) {}
  const found = new Map<string, string[]>();
  for (const { text } of questions) {
    const { hits } = await store.search({ text, limit: HITS });
    found.set(
      text,
      hits.map(({ event }) => String(event.origin)),
    );
  }
  const costs = new Map(turns.map(({ id, text }) => [id, countTokens(text)]));
  quality.add(questions, (query) => found.get(query) ?? [], costs);
}
