/** The handlers of the set, in one module: Node takes a millisecond for each that it loads, and the first call waits for them. */
export * as buildAcb from "./build-acb/handler.ts";
export * as getArtifact from "./get-artifact/handler.ts";
export * as queryDecisions from "./query-decisions/handler.ts";
export * as recordEvent from "./record-event/handler.ts";
