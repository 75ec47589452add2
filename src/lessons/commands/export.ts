/** Writes the memory as Markdown or JSON. */
import { writeText } from "../../ground/files/read-files.ts";
import { json } from "../../ground/terminal/layout.ts";
import { newestFirst } from "../queries/lesson-ranking.ts";
import { type AddLessonCommand, readMemory } from "../terminal/lessons.ts";
import { markdownOf } from "../terminal/markdown.ts";

export const addExport: AddLessonCommand = (program, open) => {
  program
    .command("export")
    .description("write the memory as Markdown or JSON")
    .option(
      "--output <file>",
      "write to this file, which must not be there yet, instead of standard output",
    )
    .option("--json", "write a JSON array of the lessons, which import can read")
    .action(async ({ output, json: isJson }) => {
      const context = open();
      const lines = [...(await readMemory(context)).lessons()].sort(newestFirst);
      const text = isJson ? json(lines.map(({ version }) => version)) : markdownOf(lines);
      if (output === undefined) {
        return context.terminal.print(text);
      }
      await writeText(output, `${text}\n`);
      context.terminal.note(`Written: ${output}`);
    });
};
