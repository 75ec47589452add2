import { hintsFor } from "../answers/log-hints.ts";
import { prepareDraft } from "../changes/draft.ts";
import { inShort } from "../terminal/lessons.ts";
import { type AddLessonCommand, noteLines, noteRedactions } from "../terminal/read-memory.ts";
import { type TextOptions, whenSaid, withTextOptions } from "../terminal/text-options.ts";

export const addAdd: AddLessonCommand = (program, open) => {
  const command = program.command("add").description("log a lesson, as an agent would");
  withTextOptions(command, { isNew: true }).action(async (options: TextOptions) => {
    const { topic = "", missing, lesson = "", ask, block, ...work } = options;
    const context = open();
    const { lessons, readPrivacy, terminal } = context;
    const texts = {
      topic,
      missing_context: missing,
      lesson,
      ask_next_time: ask,
      when: whenSaid(work, {}),
      hold: block,
    };
    const { draft, cleared, redactions } = prepareDraft(
      { type: "log", ...texts },
      (await readPrivacy()).forStoring(),
    );
    const before = await lessons.read();
    await noteLines(context, before);
    const hints = hintsFor(draft, before, { correct: removeIt });
    const saved = await lessons.save(draft, { cleared });
    noteRedactions(terminal, redactions);
    if (saved.isNew) for (const hint of hints) terminal.note(hint);
    const what = saved.isNew ? "Added" : saved.isRepeated ? "Unchanged" : "Updated";
    terminal.print(`${what}: ${inShort(saved.line.version, terminal.page)}`);
  });
};

const removeIt = (reference: string): string =>
  `remove that one: sentinel-memory forget ${reference}`;
