/**
 * A model on loopback that says what a test wrote down, in the form of the API that the agent speaks, and keeps what it was
 * asked. It serves a bounded number of requests, so that an agent which loops fails instead of going on.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { LoopbackServer } from "./loopback.ts";
import { type Body, TONGUES } from "./tongues.ts";

/** A call of a tool. An input that is a text is that of a tool without a schema. */
export interface ToolCall {
  readonly tool: string;
  readonly input: unknown;
  readonly namespace?: string;
  /** Whether the context is full with it, so that the agent has to ask for a summary before it goes on. */
  readonly fills?: true;
}

/** A part of an answer: words, or a call of a tool. */
export type Say = string | ToolCall;

const MOST_REQUESTS = 40;
const FROM_CHILD_AGENT = "There are three files.";

const SUMMED_UP = "We saw one.";
/** What clients say last who ask for a summary, and in which form they want it. */
const SUMMARIES: readonly (readonly [RegExp, string])[] = [
  [/<summary> block/, `<summary>\n${SUMMED_UP}\n</summary>`],
  [/<state_snapshot>/, `<state_snapshot>\n${SUMMED_UP}\n</state_snapshot>`],
  [/CONTEXT CHECKPOINT COMPACTION|<conversation>/, SUMMED_UP],
];
/** What the API says to Claude Code, which asks for a summary only then. */
const TOO_LONG = JSON.stringify({
  type: "error",
  error: {
    type: "invalid_request_error",
    message: "prompt is too long: 1000000 tokens > 200000 maximum",
  },
});

export class FakeModel extends LoopbackServer {
  /** What the agent sent, request by request, as text. Only the turns that offer tools count. */
  readonly asked: string[] = [];
  readonly #script: (Say | readonly Say[])[];
  readonly #prompt: string;
  #requests = 0;
  #isFull = false;

  private constructor(script: readonly (Say | readonly Say[])[], prompt: string) {
    super();
    this.#script = [...script];
    this.#prompt = prompt;
  }

  /**
   * @param script an answer each; a list is one answer of several parts.
   * @param prompt what the person asks: a request without it comes from a child agent, which is
   *   answered at once, unless it begins with a summary.
   */
  static async listen(
    script: readonly (Say | readonly Say[])[],
    prompt: string,
  ): Promise<FakeModel> {
    const model = new FakeModel(script, prompt);
    await model.start();
    return model;
  }

  protected async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await text(request);
    const { url = "" } = request;
    this.#requests += 1;
    if (this.#requests > MOST_REQUESTS) {
      return void response.writeHead(400).end("{}");
    }
    if (/count_?tokens/i.test(url)) {
      return void response.end('{"input_tokens":1,"totalTokens":1}');
    }
    const tongue = TONGUES.find(({ path }) => path.test(url.split("?", 1)[0] ?? ""));
    if (!tongue) {
      return void response.writeHead(404).end("{}");
    }
    const body = JSON.parse(asked) as Body;
    const isTurn = tongue.isTurn(body);
    if (isTurn) {
      this.asked.push(asked);
    }
    const summary = summaryFor(body);
    if (summary === undefined && isTurn && this.#isFull) {
      return void response.writeHead(400).end(TOO_LONG);
    }
    const says = [summary ?? this.#answerTo(asked, isTurn)].flat() as Say[];
    this.#isFull = says.some((say) => typeof say !== "string" && say.fills);
    const answer = tongue.speak(says, body, url);
    response.writeHead(200, { "content-type": answer.type }).end(answer.text);
  }

  #answerTo(asked: string, isTurn: boolean): Say | readonly Say[] {
    if (!isTurn) {
      return "Done.";
    }
    const isChildAgent = !asked.includes(this.#prompt) && !asked.includes(SUMMED_UP);
    return isChildAgent ? FROM_CHILD_AGENT : (this.#script.shift() ?? "Done.");
  }
}

function summaryFor({ messages, input, contents }: Body): string | undefined {
  const last = JSON.stringify((messages ?? input ?? contents ?? []).at(-1)) ?? "";
  return SUMMARIES.find(([wanted]) => wanted.test(last))?.[1];
}
