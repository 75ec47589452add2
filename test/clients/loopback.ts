import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A server on a free port of this machine, which takes the place of one that an agent calls. A request that fails loses its connection, and fails the run. */
export abstract class LoopbackServer {
  readonly #server = createServer((request, response) => {
    this.serve(request, response).catch((error: Error) => {
      response.destroy(error);
      throw error;
    });
  });

  protected abstract serve(request: IncomingMessage, response: ServerResponse): Promise<void>;

  protected async start(): Promise<void> {
    await new Promise<void>((ready) => this.#server.listen(0, "127.0.0.1", ready));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
