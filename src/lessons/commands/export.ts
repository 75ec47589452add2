/** The memory as Markdown to read, or as JSON that `import` reads. */
import { writeText } from "../../ground/files/named-file.ts";
import { json } from "../../ground/terminal/layout.ts";
import { newestFirst } from "../queries/importance.ts";
import { markdownOf } from "../terminal/markdown.ts";
import { type AddLessonCommand, type LessonCommandContext, readMemory } from "../terminal/read-memory.ts";

export const addExport: AddLessonCommand = (program, open) => {
  program
    .command("export")
    .description("write the memory as Markdown or JSON")
    .option("--output <file>", "write to this file, which must not be there yet, instead of standard output")
    .option("--json", "write a JSON array of the lessons, which import can read")
    .action((options) => exportMemory(open(), options));
};

async function exportMemory(
  context: LessonCommandContext,
  { output, json: asJson }: { output?: string; json?: boolean },
): Promise<void> {
  const { terminal } = context;
  const records = [...(await readMemory(context)).lessons()].sort(newestFirst);
  const text = asJson ? json(records.map(({ version }) => version)) : markdownOf(records).trimEnd();
  if (output === undefined) terminal.print(text);
  else {
    await writeText(output, `${text}\n`);
    terminal.note(`Written: ${output}`);
  }
}
