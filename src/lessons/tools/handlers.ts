/** The handlers of the set, in one module: Node takes a millisecond for each that it loads, and the first call waits for them. */
export * as compactMemory from "./compact-memory/handler.ts";
export * as logMemory from "./log-memory/handler.ts";
export * as searchMemory from "./search-memory/handler.ts";
