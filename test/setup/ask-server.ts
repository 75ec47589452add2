/** Asks the server that a client's configuration starts, as that client would. */
import type { Place } from "../support/project.ts";
import { withServer } from "../support/server.ts";

interface Entry {
  readonly command: string;
  readonly args: readonly string[];
}

/** The names of the tools that the server of an entry lists, and what a search for everything says. */
export async function askServer(
  entry: Entry,
  place: Place,
): Promise<{ tools: string[]; answer: string; memory: string | undefined }> {
  return withServer(startOf(entry, place), async (server) => {
    const tools: { name: string }[] = JSON.parse(await server.list("tools"));
    const { text, memory } = await server.call("search_memory", {});
    return { tools: tools.map(({ name }) => name).sort(), answer: text, memory: memory?.location };
  });
}

/** What one tool of the server of an entry answers, be it an error. */
export async function callServer(
  entry: Entry,
  place: Place,
  tool: string,
  input: Record<string, unknown>,
): Promise<string> {
  return withServer(startOf(entry, place), async (server) => (await server.call(tool, input)).text);
}

const startOf = (entry: Entry, { cwd, env }: Place) => ({ ...entry, cwd, env });

export const TOOLS = ["compact_memory", "log_memory", "search_memory"];
