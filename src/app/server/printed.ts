/** The answers to the first messages of a client. The build runs this module and keeps its values, so a start makes no schema. */
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/sdk/types.js";
import { listingOf } from "../../ground/tool/tool.ts";
import { TOOLSETS } from "./toolsets.ts";

/** The versions of the protocol that are answered with a greeting, the newest first. */
export const PROTOCOLS: readonly string[] = SUPPORTED_PROTOCOL_VERSIONS;
export const CAPABILITIES = { tools: {}, prompts: {} };
/** Each set as `tools/list` shows it. */
export const LISTED = {
  lessons: TOOLSETS.lessons.map(({ definition }) => listingOf(definition)),
  sessions: TOOLSETS.sessions.map(({ definition }) => listingOf(definition)),
};
