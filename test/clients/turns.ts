/** Whole turns of real agents against a model that says what a test wrote down; each gives what the model was asked. */

import type { Project } from "../support/project.ts";
import type { Ended } from "../support/run-process.ts";
import { runAgent } from "./agents.ts";
import { FakeModel, type Say } from "./fake-model.ts";

const PROMPT = "Work on billing and VAT";

export async function claudeTurn(repository: Project, script: readonly Say[], below = "."): Promise<string[]> {
  return turn(script, (url) => {
    const env = { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "none" };
    const tools = ["--allowedTools", "mcp__sentinel-memory", "Write"];
    const args = ["-p", PROMPT, "--output-format", "json", "--max-turns", "8", ...tools];
    return runAgent("claude", args, repository, { below, env });
  });
}

export async function opencodeTurn(repository: Project, script: readonly Say[], below = "."): Promise<string[]> {
  return turn(script, (url) => {
    const provider = { anthropic: { options: { baseURL: `${url}/v1`, apiKey: "none" } } };
    const env = { OPENCODE_CONFIG_CONTENT: JSON.stringify({ provider }), OPENCODE_DISABLE_MODELS_FETCH: "1" };
    return runAgent("opencode", ["run", PROMPT, "--model", "anthropic/claude-sonnet-4-5"], repository, { below, env });
  });
}

async function turn(script: readonly Say[], run: (url: string) => Promise<Ended>): Promise<string[]> {
  const model = await FakeModel.listen(script);
  try {
    const { exit, stdout, stderr } = await run(model.url);
    if (exit !== 0) throw new Error(`The agent ended with ${exit}: ${stdout}${stderr}`);
    return model.asked;
  } finally {
    model.close();
  }
}
