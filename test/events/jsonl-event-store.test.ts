/** The file store does what every store of events does. */
import { join } from "node:path";
import { JsonlEventStore } from "../../src/sessions/files/store.ts";
import { eventRedactor } from "../../src/sessions/storing/redactor.ts";
import { describeEventStore, NOON } from "../contracts/event-store.ts";
import { testFolder } from "../support/in-test.ts";

describeEventStore("the file store", async (redactor = eventRedactor()) => {
  const folder = join(testFolder(), "record");
  let clock = NOON;
  const open = () => new JsonlEventStore({ folder, redactor, now: () => clock });
  return {
    store: open(),
    again: open,
    setClock: (now) => {
      clock = now;
    },
  };
});
