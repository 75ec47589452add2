/** What is written into a conversation by programs: none of it was said by a person, and memory that is recorded would echo. */

/** What an editor adds, the files that are open and what is selected, is in blocks too. */
const BLOCK =
  /^[ \t]*<(system-reminder|sentinel-memory|ide_opened_file|ide_selection|ide_diagnostics|post-tool-use-hook)>[\s\S]*?<\/\1>[ \t]*\n?/gm;
const LAST_BLOCKS = /(?:\n*<(system-reminder|sentinel-memory)>(?:(?!<\/?\1>)[\s\S])*<\/\1>\s*)+$/;

/** A message without the blocks that begin a line of it. */
export function withoutInjected(message: string): string {
  return message.includes("</") ? message.replace(BLOCK, "").trim() : message;
}

/** A tool's output without the blocks at its end: further up they may be what a file says. */
export function withoutInjectedEnd(output: string): string {
  return output.trimEnd().endsWith(">") ? output.replace(LAST_BLOCKS, "") : output;
}
