/** Bodies of nearly as many bytes as a daemon takes in one call, each hard in its own way. */
import { randomBytes } from "node:crypto";
import { Worker } from "node:worker_threads";
import { message } from "../contracts/event-store.ts";

const BYTES = 8_000_000;
const filled = (part: string, bytes = BYTES) => part.repeat(Math.floor(bytes / part.length));
const draft = (text: string) => JSON.stringify({ drafts: [message(text)] });
/** An event whose content is this JSON. */
const withContent = (content: string) => draft("").replace('{"text":""}', `{"value":${content}}`);

const ofEvents = (events: readonly object[]) => JSON.stringify({ drafts: events });
const result = (text: string) =>
  ofEvents([message("", 1, { kind: "tool_result", content: { text } })]);

/** Lines of what a tool printed, each with a secret of its own. */
export function secretLines(bytes: number): string {
  const lineOf = () =>
    `export API_KEY=${randomBytes(20).toString("hex")} of a service that a test has made up\n`;
  return Array.from({ length: Math.floor(bytes / lineOf().length) }, lineOf).join("");
}

/** So many different words that no two chunks share one. */
function words(bytes: number): string {
  const digits = randomBytes(4 * Math.floor(bytes / 9)).toString("hex");
  return (digits.match(/.{8}/g) ?? []).join(" ");
}

export const LARGE_BODIES = {
  "lists in lists": `{"drafts":${filled("[")}`,
  "lists in lists that end": `{"drafts":[${filled("[", BYTES / 2)}${filled("]", BYTES / 2)}]}`,
  "empty lists": `{"drafts":[${filled("[],")}[]]}`,
  "empty objects in an event": withContent(`[${filled("{},")}{}]`),
  "events that are none": `{"drafts":[${filled("{},", 1_000_000)}{}]}`,
  "a text like encoded data": draft(filled("aGVsbG8gd29ybGQ3Qk1x")),
  "a text of lines": draft(filled("a line of what a tool printed, with user=ann and a word\n")),
  "lists as deep as an event may have them": withContent(
    `${"[".repeat(490)}"${words(BYTES)}"${"]".repeat(490)}`,
  ),
  "a result of secrets": result(secretLines(BYTES)),
  "one event of many texts": withContent(
    JSON.stringify(Array.from({ length: 4_900 }, () => words(1_600))),
  ),
  "a batch of long messages": ofEvents(
    Array.from({ length: 500 }, (_, at) => message(words(15_000), at)),
  ),
} as const;

const toolCall = (name: string, given: object) =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: given },
  });
/** Messages over MCP of nearly as many bytes as a daemon takes in one. */
export const LARGE_MESSAGES = {
  "a statement": toolCall("record_event", { kind: "message", content: { text: words(1_000_000) } }),
  "a query over MCP": toolCall("build_acb", { query: words(1_000_000) }),
} as const;
/** A call that asks with nearly as many bytes as a daemon takes of one. */
export const LARGE_QUERY = JSON.stringify({ query: words(250_000) });

interface Volley {
  readonly url: string;
  readonly path: string;
  readonly token: string;
  readonly body: string;
  readonly atOnce: number;
}

/** Sends a body again and again, in a thread of its own: who sends so much answers nobody else. It posts how often each status was answered. */
export const sendAgainAndAgain = (volley: Volley): Worker =>
  new Worker(SENDER, { eval: true, workerData: volley });

const SENDER = `
const { request, Agent } = require("node:http");
const { workerData: { url, path, token, body, atOnce }, parentPort } = require("node:worker_threads");
const agent = new Agent({ keepAlive: true });
const bytes = Buffer.from(body);
const counts = {};
const count = (status) => {
  counts[status] = (counts[status] ?? 0) + 1;
  parentPort.postMessage(counts);
};
const send = () => {
  const headers = { authorization: "Bearer " + token, "content-length": bytes.length };
  const call = request(url + path, { method: "POST", headers, agent }, (response) => {
    count(response.statusCode);
    response.resume();
  });
  call.on("error", () => count("broken")).on("close", send);
  call.on("socket", (socket) => socket.setMaxListeners(0).on("error", () => undefined));
  call.end(bytes);
};
for (let at = 0; at < atOnce; at++) send();
`;
