/** The answers to the first messages of a client. The build runs this module and keeps its values, so a start makes no schema. */
import { listingOf } from "../../ground/tool/tool.ts";
import { TOOLSETS } from "./toolsets.ts";

export { CAPABILITIES, PROTOCOLS } from "./rest-of-protocol.ts";
/** Each set as `tools/list` shows it. */
export const LISTED = {
  lessons: TOOLSETS.lessons.map(({ definition }) => listingOf(definition)),
  sessions: TOOLSETS.sessions.map(({ definition }) => listingOf(definition)),
};
