/** What a ledger says, worked out once for each: one bundle after another looks at the same one. Pure. */
import { onceForEach } from "../core/once-for-each.ts";
import type { BriefEvent } from "../events/projections/brief-event.ts";
import { decisionsOf } from "../events/projections/decisions.ts";
import { pinsOf } from "../events/projections/pins.ts";
import { tasksOf } from "../events/projections/tasks.ts";

type Ledger = readonly BriefEvent[];

export const decisionsIn = onceForEach((ledger: Ledger) => decisionsOf(ledger));
export const pinsIn = onceForEach((ledger: Ledger) => pinsOf(ledger));
export const tasksIn = onceForEach((ledger: Ledger) => tasksOf(ledger));
