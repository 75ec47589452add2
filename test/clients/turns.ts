/** Whole turns of real agents against a model that says what a test wrote down; each gives what the model was asked. */

import type { Project } from "../support/project.ts";
import type { Ended } from "../support/run-process.ts";
import { runAgent } from "./agents.ts";
import { FakeModel, type Say } from "./fake-model.ts";
import { aborted, escaped, interrupted } from "./interruptions.ts";

const PROMPT = "Work on billing and VAT";

/** A call of a tool of our server, by its name in each agent. */
export const CALLS = {
  "claude-code": (name: string, input: object): Say => ({
    tool: `mcp__sentinel-memory__${name}`,
    input,
  }),
  codex: (name: string, input: object): Say => ({
    tool: name,
    namespace: "mcp__sentinel_memory",
    input,
  }),
  gemini: (name: string, input: object): Say => ({ tool: `mcp_sentinel-memory_${name}`, input }),
  opencode: (name: string, input: object): Say => ({ tool: `sentinel-memory_${name}`, input }),
};

type Script = readonly (Say | readonly Say[])[];

/** How a turn goes on, beside what it says. */
interface Manner {
  readonly prompt?: string;
  /** Whether it goes on with the last session. */
  readonly resumes?: boolean;
  /** More arguments of the agent. */
  readonly args?: readonly string[];
  /** A file in the project that is there once the agent is to be stopped. */
  readonly stopAt?: string;
  /** Of Codex: newer ones write scripts that call tools. */
  readonly model?: string;
  /** More of the environment. */
  readonly env?: Record<string, string>;
}

export async function claudeTurn(
  repository: Project,
  script: Script,
  below = ".",
  { prompt = PROMPT, resumes = false, args = [], stopAt, env: more = {} }: Manner = {},
): Promise<string[]> {
  return turn(script, prompt, (url) => {
    const env = { ...more, ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "none" };
    const tools = ["--allowedTools", "mcp__sentinel-memory", "Write", ...args];
    const rest = [
      "--output-format",
      "json",
      "--max-turns",
      "20",
      ...(resumes ? ["--continue"] : []),
      ...tools,
    ];
    return runAgent("claude", ["-p", prompt, ...rest], repository, {
      below,
      env,
      ...interruptedAt(repository, stopAt),
    });
  });
}

export async function opencodeTurn(
  repository: Project,
  script: Script,
  below = ".",
  { prompt = PROMPT, resumes = false, stopAt, env: more = {} }: Manner = {},
): Promise<string[]> {
  return turn(script, prompt, (url) => {
    const provider = { anthropic: { options: { baseURL: `${url}/v1`, apiKey: "none" } } };
    const env = {
      ...more,
      OPENCODE_CONFIG_CONTENT: JSON.stringify({ provider }),
      OPENCODE_DISABLE_MODELS_FETCH: "1",
    };
    const [providerID, modelID] = ["anthropic", "claude-sonnet-4-5"];
    if (stopAt !== undefined) {
      const request = { model: { providerID, modelID }, parts: [{ type: "text", text: prompt }] };
      const run = aborted(repository.path(stopAt), repository.path("~/handed"), request);
      return runAgent("opencode", ["serve", "--port", "0"], repository, { below, env, run });
    }
    const args = [
      "run",
      prompt,
      "--model",
      `${providerID}/${modelID}`,
      ...(resumes ? ["--continue"] : []),
    ];
    return runAgent("opencode", args, repository, { below, env });
  });
}

/** Its personal configuration stays as it is: the model is named in the arguments. */
export async function codexTurn(
  repository: Project,
  script: Script,
  below = ".",
  {
    prompt = PROMPT,
    resumes = false,
    args = [],
    model = "gpt-5.5",
    stopAt,
    env: more = {},
  }: Manner = {},
): Promise<string[]> {
  return turn(script, prompt, (url) => {
    const provider = `{name="fake",base_url="${url}/v1",wire_api="responses",env_key="FAKE_KEY"}`;
    const named = [
      "-m",
      model,
      "-c",
      "model_provider=fake",
      "-c",
      `model_providers.fake=${provider}`,
    ];
    const all = [
      ...(resumes ? ["resume", "--last"] : []),
      "--dangerously-bypass-approvals-and-sandbox",
      ...named,
    ];
    const env = { ...more, FAKE_KEY: "none" };
    const stop = interruptedAt(repository, stopAt);
    return runAgent("codex", ["exec", ...all, ...args, prompt], repository, {
      below,
      env,
      ...stop,
    });
  });
}

export async function geminiTurn(
  repository: Project,
  script: Script,
  below = ".",
  { prompt = PROMPT, resumes = false, stopAt }: Manner = {},
): Promise<string[]> {
  await repository.write(
    "~/.gemini/settings.json",
    '{"security":{"auth":{"selectedType":"gemini-api-key"}}}',
  );
  return turn(script, prompt, (url) => {
    const env = {
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_API_KEY: "none",
      GEMINI_CLI_TRUST_WORKSPACE: "true",
    };
    const args = ["--yolo", "-m", "gemini-2.5-pro", ...(resumes ? ["-r", "latest"] : [])];
    if (stopAt !== undefined) {
      const run = escaped(repository.path(stopAt), {
        below: repository.path("~/.gemini/tmp"),
        words: '"cancelled"',
      });
      return runAgent("gemini", [...args, "-i", prompt], repository, { below, env, run });
    }
    return runAgent("gemini", [...args, "-p", prompt], repository, { below, env });
  });
}

function interruptedAt(
  repository: Project,
  stopAt: string | undefined,
): { run?: ReturnType<typeof interrupted> } {
  return stopAt === undefined ? {} : { run: interrupted(repository.path(stopAt)) };
}

async function turn(
  script: Script,
  prompt: string,
  run: (url: string) => Promise<Ended>,
): Promise<string[]> {
  const model = await FakeModel.listen(script, prompt);
  try {
    const { exit, stdout, stderr } = await run(model.url);
    if (exit !== 0) {
      throw new Error(`The agent ended with ${exit}: ${stdout}${stderr}`);
    }
    return model.asked;
  } finally {
    model.close();
  }
}
