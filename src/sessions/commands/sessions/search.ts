import { Option } from "commander";
import { SentinelError } from "../../../ground/core/errors.ts";
import { firstWords, plural, present } from "../../../ground/core/text.ts";
import { instantOfAge } from "../../../ground/core/time.ts";
import { wholeNumber } from "../../../ground/terminal/command.ts";
import { inMegabytes } from "../../../ground/terminal/layout.ts";
import { type Event, eventText, KINDS, type Kind } from "../../kinds/event.ts";
import { replacedAmong } from "../../projections/current-refs.ts";
import {
  type EventStore,
  type FoundChunk,
  MOST_HITS,
  type SearchHit,
  type SearchResult,
} from "../../store.ts";
import { type AddSessionCommand, openLog } from "../../terminal/project-log.ts";
import { hitRows, saidIn } from "../../terminal/rows.ts";

const DEFAULT_LIMIT = 10;

export const addSearch: AddSessionCommand = (sessions, open) => {
  sessions
    .command("search")
    .description("search the recorded sessions, best match first")
    .argument(
      "[query...]",
      "words to search for (default: all events that the options name, newest first)",
    )
    .option("--limit <number>", "at most this many", wholeNumber(1), DEFAULT_LIMIT)
    .option("--session <id>", "only of this session, or of those that begin so")
    .option("--branch <name>", "only events on this branch")
    .option("--agent <name>", "only what this agent said and did, like claude-code")
    .addOption(new Option("--kind <kind>", "only events of this kind").choices(KINDS))
    .option("--since <age>", "only events since: 30d, 12h, 4w or a date like 2026-01-31")
    .option("--json", "print the hits as JSON, each with its score from 0 to 1")
    .action(async (words: string[], { limit, json: isData, ...narrowed }) => {
      const context = open();
      const { terminal } = context;
      const text = words.join(" ");
      const isMeant = narrowing(narrowed);
      if (text.trim() === "" && !isMeant) {
        throw nothingAsked();
      }
      const { store } = await openLog(context);
      const result = await find(store, text, limit, isMeant);
      const { hits, ...others } = result;
      const found = hits.map(({ event }) => event);
      const replaced = await replacedAmong(found, store);
      if (isData) {
        return terminal.printJson({ hits: hits.map((hit) => asJson(hit, replaced)), ...others });
      }
      const blocks = hits.map((hit) =>
        hitRows(hit, text, replaced.get(hit.event.id) ?? [], terminal.page).join("\n"),
      );
      if (blocks.length > 0) {
        terminal.print(blocks.join("\n\n"));
      } else if (
        isMeant &&
        (text.trim() === "" || (await find(store, "", 1, isMeant)).hits.length === 0)
      ) {
        terminal.note(NONE_OF_THAT);
      } else {
        terminal.note(`Nothing matches in ${plural(result.chunks, "recorded part")}.`);
      }
      for (const note of notesOn(result, text.trim() === "")) {
        terminal.note(note);
      }
    });
};

const NONE_OF_THAT =
  "No recorded event has that session, branch, agent, kind and time. sentinel-memory sessions list lists the sessions.";

async function find(
  store: EventStore,
  text: string,
  limit: number,
  isMeant: ((event: Event) => boolean) | undefined,
): Promise<SearchResult> {
  if (!isMeant) {
    return store.search({ text, limit, withNeighbours: true });
  }
  if (text.trim() === "") {
    const hits: SearchHit[] = [];
    for await (const event of store.read({ newestFirst: true })) {
      if (isMeant(event)) {
        hits.push({ id: event.id, event, text: eventText(event), score: 0 });
      }
      if (hits.length > limit) {
        break;
      }
    }
    const isCut = hits.length > limit;
    return { hits: hits.slice(0, limit), chunks: 0, notIndexed: { days: [], bytes: 0 }, isCut };
  }
  const all = await store.search({ text, limit: MOST_HITS, withNeighbours: true });
  const meant = all.hits.filter(({ event }) => isMeant(event));
  // If there are too few, matches may be missing below the best `MOST_HITS`.
  const isShort = all.hits.length === MOST_HITS && meant.length < limit;
  return { ...all, hits: meant.slice(0, limit), isCut: all.isCut || isShort };
}

interface Narrowing {
  readonly session?: string;
  readonly branch?: string;
  readonly agent?: string;
  readonly kind?: Kind;
  readonly since?: string;
}

/** A filter for events, or undefined without options. @throws SentinelError `bad_argument` */
function narrowing({
  session = "",
  branch,
  agent,
  kind,
  since,
}: Narrowing): ((event: Event) => boolean) | undefined {
  if (session === "" && [branch, agent, kind, since].every((asked) => asked === undefined)) {
    return undefined;
  }
  const earliest = instantOfAge(since, Date.now());
  return (event) =>
    event.session.startsWith(session) &&
    (branch === undefined || event.place?.branch === branch) &&
    (agent === undefined || event.agent === agent) &&
    (kind === undefined || event.kind === kind) &&
    Date.parse(event.ts) >= earliest;
}

function nothingAsked(): SentinelError {
  const fix =
    "Give words of it, or an option such as --kind. To see the last sessions: sentinel-memory sessions list";
  return new SentinelError("bad_argument", "There is nothing to search the session log for.", fix);
}

/** The whole hit, and only the first words of its neighbours. */
function asJson(
  { before, after, ...hit }: SearchHit,
  replaced: ReadonlyMap<string, readonly string[]>,
): object {
  return {
    ...hit,
    superseded_by: replaced.get(hit.event.id),
    before: before && inShort(before),
    after: after && inShort(after),
  };
}

function inShort(chunk: FoundChunk): object {
  return { id: chunk.event.id, kind: chunk.event.kind, text: firstWords(saidIn(chunk)) };
}

function notesOn({ notIndexed: { days, bytes }, isCut }: SearchResult, isList: boolean): string[] {
  const [newest, oldest] = [days[0], days.at(-1)];
  const span = newest === oldest ? newest : `${plural(days.length, "day")}, ${oldest} to ${newest}`;
  return present(
    bytes > 0 &&
      `Not searched yet: ${inMegabytes(bytes)} (${span}). Search again, or capture, to have more.`,
    isCut &&
      (isList
        ? "There is more: give a higher --limit."
        : "There may be more: a search only looks at its best matches."),
  );
}
