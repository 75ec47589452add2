/** The stories of recorded sessions once more, their session logs on PostgreSQL, each a tenant of its own. */
import { postgresEventStore } from "../../src/daemon/postgres/event-store.ts";
import { daemonOver } from "../support/daemon.ts";
import { recordOn } from "../support/daemon-record.ts";
import { postgresOfFile } from "../support/postgres.ts";
import { migratedDatabase, poolOf } from "../support/postgres-server.ts";
import { recordFromTheStart } from "../support/recorded.ts";
import type { Keeper } from "./story.ts";
import { tellStories } from "./tell-stories.ts";

/** They tell of an index that files alone have. */
const OF_FILES = ["scn-a11-index-deleted", "scn-p3-cold-path"];

const postgres = postgresOfFile();
let database: Promise<string> | undefined;
let tenants = 0;

const keeper: Keeper = {
  async keep(project, now) {
    database ??= migratedDatabase(postgres());
    const [name, tenant] = [await database, `story-${++tenants}`];
    const ends: (() => Promise<void>)[] = [];
    const daemon = await daemonOver(postgres(), name, { now, atEnd: (end) => ends.unshift(end) });
    const token = await daemon.token({ tenant });
    await recordFromTheStart(project, () => recordOn(project, daemon.url, token));
    const pool = poolOf(postgres().port, "daemon", name);
    ends.unshift(() => pool.end());
    const identity = { tenant, owner: "ann", channel: "private" } as const;
    return {
      open: (redactor, now) => postgresEventStore({ pool, redactor, now, ...identity }),
      end: async () => {
        for (const end of ends.splice(0)) await end();
      },
    };
  },
};

await tellStories(
  (scenario) => scenario?.setup.recorded === true && !OF_FILES.includes(scenario.id),
  keeper,
);
