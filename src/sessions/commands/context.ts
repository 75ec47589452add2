/** Prints the context for one model call, as text or JSON. For custom agent loops, and to inspect the context that agents get. */
import { Option } from "commander";
import { problemOf, SentinelError } from "../../ground/core/errors.ts";
import { wholeNumber } from "../../ground/terminal/command.ts";
import { json, safeLine } from "../../ground/terminal/layout.ts";
import { INTENTS } from "../bundle/bundle.ts";
import { bundleText } from "../bundle/bundle-text.ts";
import { DEFAULT_MAX_TOKENS, openBundle } from "../bundle/open-bundle.ts";
import { CEILING } from "../bundle/settings/settings.ts";
import { beginKeeping } from "../capture/append-said.ts";
import { captureHere } from "../capture/capture.ts";
import { QUICKLY_MS } from "../capture/capture-turn.ts";
import { CHANNELS, type Channel, inTime, newestOwnSession } from "../kinds/event.ts";
import type { EventStore } from "../store.ts";
import { oneOf } from "../terminal/named.ts";
import {
  type AddSessionCommand,
  recorded,
  type SessionCommandContext,
  withFix,
} from "../terminal/project-log.ts";

const LEAST_TOKENS = 200;

interface ContextOptions {
  intent?: string;
  maxTokens: number;
  channel: Channel;
  session?: string;
  handoff?: string;
  json?: boolean;
}

export const addContext: AddSessionCommand = (program, open) => {
  program
    .command("context")
    .description("print the context for one model call: rules, tasks, lessons, decisions, messages")
    .argument("[query...]", "task or question, then other words for it (omit to continue)")
    .option(
      "--intent <name>",
      `what kind of help: ${INTENTS.join(", ")}, or the nearest (default: from the query)`,
    )
    .option(
      "--max-tokens <number>",
      `the most that it may take, ${LEAST_TOKENS} to ${CEILING}`,
      wholeNumber(LEAST_TOKENS, CEILING),
      DEFAULT_MAX_TOKENS,
    )
    .addOption(
      new Option("--channel <name>", "who reads it: nothing is shown that is not for them")
        .choices(CHANNELS)
        .default("private"),
    )
    .option("--session <id>", "the session that asks (default: the newest one)")
    .option("--handoff <id>", "only the content of a handoff, by its id")
    .option(
      "--json",
      "print the bundle as JSON, with where each item comes from and what was left out",
    )
    .action((words: string[], options: ContextOptions) =>
      printContext(open(), words.join(" "), options),
    );
};

async function printContext(from: SessionCommandContext, words: string, options: ContextOptions) {
  const { terminal, project, lessons, openEvents, readPrivacy } = from;
  const { json: asJson, ...asked } = options;
  const found = await recorded(from);
  // Errors of the capture are only reported, so recorded events still answer.
  const tell = (error: unknown) =>
    terminal.note(error instanceof SentinelError ? withFix(problemOf(error)) : String(error));
  if (found.status === "on") {
    await captureHere(from, found, { patienceMs: QUICKLY_MS }).catch(tell);
  }
  const keep = beginKeeping(found.record);
  const events = openEvents(found.record.folder);
  const { session, isKnown } = await sessionThatAsks(events, options.session);
  if (!isKnown) {
    terminal.note(`Nothing is recorded of session ${safeLine(session)}.`);
  }
  const { known: ownWords } = await readPrivacy();
  const now = Date.now();
  const { bundle, query, notes } = await openBundle(
    { query: words, ...asked, session },
    { project, lessons, events, ownWords, now },
  );
  keep(bundle, query, now);
  terminal.print(asJson ? json({ ...bundle, notes }) : bundleText(bundle));
  for (const note of notes) {
    terminal.note(note);
  }
}

/** The whole id of a recorded session, or the user's newest session. @throws SentinelError `ambiguous`. */
async function sessionThatAsks(events: EventStore, given: string | undefined) {
  const recent = inTime(await events.brief("recent"));
  const session =
    given === undefined
      ? newestOwnSession(recent)
      : oneOf(new Set(recent.map((event) => event.session)), given);
  return { session: session ?? given ?? "", isKnown: session !== undefined || given === undefined };
}
