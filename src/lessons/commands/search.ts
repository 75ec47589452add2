import { Option } from "commander";
import { SentinelError } from "../../ground/core/errors.ts";
import { plural } from "../../ground/core/text.ts";
import { localMinute } from "../../ground/core/time.ts";
import { tokenize } from "../../ground/search/tokenizer.ts";
import { wholeNumber } from "../../ground/terminal/command.ts";
import { narrowing, rankLessons } from "../queries/lesson-ranking.ts";
import { References } from "../queries/references.ts";
import { type AddLessonCommand, inFull, readMemory } from "../terminal/lessons.ts";

const DEFAULT_LIMIT = 10;

export const addSearch: AddLessonCommand = (program, open) => {
  program
    .command("search")
    .description("find lessons, best match first")
    .argument(
      "<query...>",
      "key words, then other names for the same things, in the lessons' language",
    )
    .option("--limit <number>", "at most this many", wholeNumber(1), DEFAULT_LIMIT)
    .addOption(
      new Option("--type <type>", "only logs, or only principles").choices(["log", "principle"]),
    )
    .option(
      "--since <age>",
      "only lessons that were written or met again since: 30d, 12h, 4w or a date like 2026-01-31",
    )
    .option("--json", "print the lessons as JSON, each with its relevance from 0 to 1")
    .action(async (words: string[], { limit, json: asJson, ...narrowed }) => {
      const context = open();
      const { terminal } = context;
      const query = words.join(" ");
      if (query.trim() === "") {
        const fix =
          "Give key words, or the task in your own words. sentinel-memory list shows all lessons.";
        throw new SentinelError("bad_argument", "There is nothing to search the memory for.", fix);
      }
      const snapshot = await readMemory(context);
      const ranked = rankLessons(snapshot.lessons(), query, {
        now: localMinute(Date.now()),
      });
      const isMeant = narrowing(narrowed, Date.now()) ?? (() => true);
      const matches = ranked.filter(
        ({ line, comesUp, relevance }) => isMeant(line) && (comesUp || relevance > 0),
      );
      const best = matches.slice(0, limit);
      if (asJson) {
        return terminal.printJson(
          best.map(({ line, relevance }) => ({ ...line.version, relevance })),
        );
      }
      const references = new References(snapshot);
      const blocks = best.map(({ line, relevance }) => {
        const share = relevance > 0 ? `relevance ${relevance.toFixed(2)}` : "";
        return inFull(line, references.short(line), terminal.page, share);
      });
      const [first] = best;
      if (first) {
        terminal.print(blocks.join("\n\n"));
        const show = `sentinel-memory show ${references.short(first.line)}`;
        terminal.note(`${show} has its dates and changes.`);
      } else if (tokenize(query).length === 0) {
        terminal.note("The query has no word to search for, or only stop words.");
      } else if (snapshot.count > 0) {
        terminal.note(`None of ${plural(snapshot.count, "lesson")} matches.`);
      }
      if (matches.length > best.length) {
        terminal.note(`${matches.length - best.length} more match; --limit shows more.`);
      }
    });
};
