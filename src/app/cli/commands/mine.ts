/** Lists recurring failures in a project's existing transcripts. It needs no setup and writes nothing. */
import { plural } from "../../../ground/core/text.ts";
import type { OwnWords } from "../../../ground/redaction/own-words.ts";
import { whenText } from "../../../lessons/format/when-text.ts";
import { recurringFailures } from "../../../sessions/candidates/recurring.ts";
import { existingResults } from "../../../sessions/capture/past-sessions.ts";
import type {
  AddSessionCommand,
  SessionCommandContext,
} from "../../../sessions/terminal/project-log.ts";
import { draftOrNone, evidence, failureOffer, type Offer, unsettled } from "../../review/offers.ts";

const MOST = 5;

interface Options {
  readonly yes?: true;
  readonly json?: true;
}

export const addMine: AddSessionCommand = (program, open) => {
  program
    .command("mine")
    .description("show what failed repeatedly in this project's past sessions, and write nothing")
    .option("--yes", "read the transcripts without asking")
    .option("--json", "print the lessons as JSON")
    .action((options: Options) => mine(open(), options));
};

/** @throws SentinelError `bad_argument` if it needs to ask but has no terminal, `privacy_unreadable`. */
async function mine(context: SessionCommandContext, options: Options): Promise<void> {
  const { terminal, project, env, lessons, readPrivacy } = context;
  const what = `This reads the transcripts that Claude Code, Codex, Gemini CLI and Cursor keep of ${project.folder} on this machine. It writes nothing and sends nothing.`;
  if (!options.yes && terminal.isInteractive) {
    terminal.note(what);
  }
  if (!options.yes && !(await terminal.mustConfirm("Read them?", what))) {
    return;
  }
  const words = (await readPrivacy()).forStoring();
  const progress = terminal.progress("Reading transcripts");
  const { events, transcripts } = await existingResults(project.folder, env, words, progress);
  const failures = await recurringFailures(inOrder(events));
  const open = unsettled(failures, (await lessons.read()).lessons());
  const offers: Offer[] = [];
  for (const failure of open) {
    const offer = asLesson(failureOffer(failure, terminal.page.width), words);
    if (offer && offers.length < MOST) {
      offers.push(offer);
    }
  }
  if (options.json) {
    return terminal.printJson(offers.map(asJson));
  }
  for (const [index, offer] of offers.entries()) {
    terminal.print(`${evidence(offer, terminal.page, context.spelt, `${index + 1}.`)}\n`);
  }
  const read = `Read ${plural(transcripts, "transcript")}.`;
  if (offers.length === 0) {
    terminal.note(`${read} No recurring failure without a lesson.`);
  } else {
    terminal.note(
      `${read} Nothing was written. sentinel-memory init sets the memory up and can record sessions. Then sentinel-memory review offers these as lessons.`,
    );
  }
}

/** Returns an offer with its lesson redacted as for a save. Undefined if a save would refuse it. */
function asLesson(offer: Offer, words: OwnWords): Offer | undefined {
  // Without a session log, no command can show the moment.
  const { moment: _, ...facts } = offer.facts;
  const proposal = draftOrNone(offer.proposal, words);
  return proposal && { ...offer, facts, proposal };
}

function asJson({ proposal, facts }: Offer): object {
  const { topic, missing_context, lesson, when } = proposal;
  return { topic, missing_context, lesson, when: when && whenText(when), failed: facts.failed };
}

async function* inOrder<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
}
