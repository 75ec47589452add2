/**
 * A model on loopback that says what a test wrote down, in the form of the API that the agent speaks, and keeps what it was
 * asked. It serves a bounded number of requests, so that an agent which loops fails instead of going on.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type Body, TONGUES } from "./tongues.ts";

/** A part of an answer: words, or a call of a tool. An input that is a text makes the call of a tool without a schema. */
export type Say = string | { readonly tool: string; readonly input: unknown; readonly namespace?: string };

const MOST_REQUESTS = 40;
const FROM_SUBAGENT = "There are three files.";

export class FakeModel {
  /** What the agent sent, request by request, as text. Only the turns that offer tools count. */
  readonly asked: string[] = [];
  readonly #script: (Say | readonly Say[])[];
  readonly #prompt: string;
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  #requests = 0;

  private constructor(script: readonly (Say | readonly Say[])[], prompt: string) {
    this.#script = [...script];
    this.#prompt = prompt;
  }

  /**
   * @param script an answer each; a list is one answer of several parts.
   * @param prompt what the person asks: a request without it comes from a subagent, which is answered at once.
   */
  static async listen(script: readonly (Say | readonly Say[])[], prompt: string): Promise<FakeModel> {
    const model = new FakeModel(script, prompt);
    await new Promise<void>((ready) => model.#server.listen(0, "127.0.0.1", ready));
    return model;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await text(request);
    const { url = "" } = request;
    this.#requests += 1;
    if (this.#requests > MOST_REQUESTS) return void response.writeHead(400).end("{}");
    if (/count_?tokens/i.test(url)) return void response.end('{"input_tokens":1,"totalTokens":1}');
    const tongue = TONGUES.find(({ path }) => path.test(url.split("?", 1)[0] ?? ""));
    if (!tongue) return void response.writeHead(404).end("{}");
    const body = JSON.parse(asked) as Body;
    const isTurn = tongue.isTurn(body);
    const isSubagent = isTurn && !asked.includes(this.#prompt);
    if (isTurn) this.asked.push(asked);
    const say = isSubagent ? FROM_SUBAGENT : ((isTurn ? this.#script.shift() : undefined) ?? "Done.");
    const answer = tongue.speak([say].flat() as Say[], body);
    response.writeHead(200, { "content-type": answer.type }).end(answer.text);
  }
}
