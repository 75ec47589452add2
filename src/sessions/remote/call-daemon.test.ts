import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { eventRedactor } from "../storing/redactor.ts";
import { callDaemon } from "./call-daemon.ts";
import { remoteEventStore } from "./store.ts";

const server = createServer((request, response) => {
  calls += 1;
  if (calls === 1) {
    request.socket.destroy();
  } else if (calls === 2) {
    response.writeHead(429, { "retry-after": "1" }).end();
  } else {
    response.writeHead(200).end('{"answer":1}');
  }
}).listen(0, "127.0.0.1");
let calls = 0;

async function daemon() {
  if (!server.listening) {
    await once(server, "listening");
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: "t" };
}

afterEach(() => {
  calls = 0;
  server.closeAllConnections();
});

it("a call that was cut off, and one that is to come again later, is made again", async () => {
  expect(await callDaemon(await daemon(), "events/statistics", {})).toEqual({ answer: 1 });
  expect(calls).toBe(3);
});

it("a call that is made once fails where that one fails", async () => {
  const once = callDaemon(await daemon(), "events/statistics", {}, { pauses: [], timeout: 6_000 });
  await expect(once).rejects.toMatchObject({ code: "daemon_unreachable" });
});

it("what is kept of events that may have gone is dropped, also where no answer says that they have", async () => {
  let dropped = 0;
  const onTakenOut = () => {
    dropped++;
  };
  const gone = createServer((request) => request.socket.destroy()).listen(0, "127.0.0.1");
  await once(gone, "listening");
  const url = `http://127.0.0.1:${(gone.address() as AddressInfo).port}`;
  const store = remoteEventStore({ url, token: "t", redactor: eventRedactor(), onTakenOut });
  await expect(store.purge({ session: "s1" })).rejects.toMatchObject({
    code: "daemon_unreachable",
  });
  await expect(store.retain({ artifactsDays: 1, artifactsBytes: 1 })).rejects.toMatchObject({
    code: "daemon_unreachable",
  });
  expect(dropped).toBe(2);
  gone.close();
});
