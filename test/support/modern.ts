/** Requests of 2026-07-28, which say their version and their client themselves, as they are on the wire. */

export const MODERN = "2026-07-28";
const PREFIX = "io.modelcontextprotocol";
export const VERSION = `${PREFIX}/protocolVersion`;
export const SERVER_KEY = `${PREFIX}/serverInfo`;

/** What each request says in `_meta`; an undefined value is left out. */
export const saying = ({
  version = MODERN,
  client = "test",
  capabilities = {},
}: {
  readonly version?: string | undefined;
  readonly client?: string | undefined;
  readonly capabilities?: object | undefined;
} = {}) => ({
  [VERSION]: version,
  [`${PREFIX}/clientInfo`]: { name: client, version: "1.0.0" },
  [`${PREFIX}/clientCapabilities`]: capabilities,
});

export type Asked = ReturnType<typeof modern>;

export const modern = (
  id: number,
  method: string,
  params: { readonly name?: string; readonly [key: string]: unknown } = {},
  _meta: object = saying(),
) => ({
  jsonrpc: "2.0",
  id,
  method,
  params: { ...params, _meta },
});
