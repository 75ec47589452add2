import { SentinelError } from "../../ground/core/errors.ts";
import { json } from "../../ground/terminal/layout.ts";
import { pinsOf } from "../projections/pins.ts";
import { type AddSessionCommand, openLog } from "../terminal/project-log.ts";
import { pinRow } from "../terminal/rows.ts";
import { pinned, unpinned } from "../terminal/say.ts";

export const addPin: AddSessionCommand = (program, open) => {
  program
    .command("pin")
    .description("pin a text or an event to every agent's view")
    .argument("[what...]", "a text, or the id of an event, evt_... (default: list the pins)")
    .option("--note <text>", "why, or what it says in short")
    .option("--remove <id>", "take a pin back")
    .option("--json", "print the pins as JSON")
    .action(async (words: string[], { note, remove, json: asJson }) => {
      const context = open();
      const { terminal } = context;
      const what = words.join(" ");
      if (note !== undefined && what.trim() === "")
        throw new SentinelError(
          "bad_argument",
          "--note needs something to pin.",
          "Give it before the note: sentinel-memory pin WORDS --note TEXT, or the id of an event instead of the words.",
        );
      if (remove !== undefined && what.trim() !== "") {
        const fix = "Call it twice: with --remove ID, and with the text to pin.";
        throw new SentinelError(
          "bad_argument",
          "A pin is taken back or added, not both; nothing was changed.",
          fix,
        );
      }
      if (remove !== undefined)
        return terminal.print(
          `Taken back: ${pinRow(await unpinned(context, remove), terminal.page)}`,
        );
      if (what.trim() !== "")
        return terminal.print(
          `Pinned: ${pinRow(await pinned(context, what, note), terminal.page)}`,
        );
      const { store } = await openLog(context);
      const pins = pinsOf(await store.brief("ledger"));
      if (asJson) return terminal.print(json(pins));
      if (pins.length > 0) terminal.print(pins.map((one) => pinRow(one, terminal.page)).join("\n"));
      else terminal.note("Nothing is pinned.");
    });
};
