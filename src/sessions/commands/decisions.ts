import { Option } from "commander";
import { instantOfAge } from "../../ground/core/time.ts";
import { json } from "../../ground/terminal/layout.ts";
import { withRefsNow } from "../projections/current-refs.ts";
import { decisionsOf } from "../projections/decisions.ts";
import { findDecisions } from "../projections/find-decisions.ts";
import { decisionRows } from "../terminal/ledger.ts";
import { type AddSessionCommand, openLog } from "../terminal/project-log.ts";

const STATUSES = ["active", "superseded", "all"] as const;

export const addDecisions: AddSessionCommand = (program, open) => {
  program
    .command("decisions")
    .description(
      "list what was decided in recorded sessions, and why: the newest first, or what a query matches",
    )
    .argument("[query...]", "any words of it")
    .addOption(
      new Option("--status <status>", "those that hold, or do not any more")
        .choices(STATUSES)
        .default("active"),
    )
    .option("--since <time>", "made since then: 30d, 12h, or a date")
    .option("--json", "print them as JSON")
    .action(async (words: string[], { json: asJson, ...options }) => {
      const context = open();
      const { terminal } = context;
      const since =
        options.since === undefined ? undefined : instantOfAge(options.since, Date.now());
      const { store } = await openLog(context);
      const known = decisionsOf(await store.brief("ledger"));
      const query = { query: words.join(" "), status: options.status, since };
      const found = await withRefsNow(findDecisions(known, query), store);
      if (asJson) return terminal.print(json(found));
      if (found.length > 0)
        terminal.print(
          found.map((made) => decisionRows(made, terminal.page).join("\n")).join("\n"),
        );
      else
        terminal.note(
          known.length === 0
            ? "No decision is recorded yet."
            : `None of ${known.length} decisions matches.`,
        );
    });
};
