/** The service of a daemon in this process, over an empty session log in files; each call is given a token on its way. */
import { onTestFinished } from "vitest";
import type { ServerFor } from "../../src/daemon/http/answer-mcp.ts";
import { listen } from "../../src/daemon/http/listen.ts";
import { Service } from "../../src/daemon/http/service.ts";
import { jsonlEventStore } from "../../src/sessions/files/store.ts";
import type { EventStore } from "../../src/sessions/store.ts";
import { testFolder } from "./in-test.ts";
import { UNREDACTED } from "./unredacted.ts";

export interface McpOverHttp {
  readonly url: string;
  readonly store: EventStore;
  /** The versions of the protocol that calls have said in their headers, the first one first. */
  readonly versions: ReadonlySet<string>;
}

/** While the test runs. @param serverFor another server than that of the session log. */
export async function mcpOverHttp(serverFor?: ServerFor): Promise<McpOverHttp> {
  const store = jsonlEventStore({ folder: testFolder(), redactor: UNREDACTED, now: Date.now });
  const held = { tenant: "t", owner: "o", own: true, expiresAt: null, privacy: "" };
  const caller = { id: "0", ...held, channel: "private", scope: "write" } as const;
  const callers = {
    find: async () => caller,
    open: () => ({
      caller,
      events: store,
      shared: async () => ({ texts: new Map(), lessons: undefined }),
      rotate: async () => undefined,
      audit: async () => [],
    }),
  };
  const service = new Service({
    pool: { totalCount: 0, idleCount: 0, waitingCount: 0 },
    callers,
    parseLarge: async (body) => JSON.parse(Buffer.from(body).toString()),
    checkHealth: async () => {},
    hosts: [],
    version: "0.0.0",
    log: () => {},
    ...(serverFor && { serverFor }),
  });
  const versions = new Set<string>();
  const listening = await listen({
    host: "127.0.0.1",
    port: 0,
    answer(request, response) {
      const version = request.headers["mcp-protocol-version"];
      if (version) {
        versions.add(String(version));
      }
      request.headers.authorization = "Bearer given";
      return service.answer(request, response);
    },
    onClose: () => service.stop(),
  });
  onTestFinished(() => listening.close());
  return { url: `${listening.url.replace("127.0.0.1", "localhost")}/mcp`, store, versions };
}
