/** What a ledger says, worked out once for each: one bundle after another looks at the same one. Pure. */
import { onceForEach } from "../../ground/core/once-for-each.ts";
import type { BriefEvent } from "../kinds/brief-event.ts";
import { decisionsOf } from "../projections/decisions.ts";
import { pinsOf } from "../projections/pins.ts";
import { tasksOf } from "../projections/tasks.ts";

type Ledger = readonly BriefEvent[];

export const decisionsIn = onceForEach((ledger: Ledger) => decisionsOf(ledger));
export const pinsIn = onceForEach((ledger: Ledger) => pinsOf(ledger));
export const tasksIn = onceForEach((ledger: Ledger) => tasksOf(ledger));
