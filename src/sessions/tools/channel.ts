import * as z from "zod";
import type { Channel } from "../kinds/event.ts";

/** Literal, because nothing of the session log is loaded to list a tool. */
const CHANNELS = ["private", "team", "agent", "public"] as const satisfies Channel[];

export const channel = z.enum(CHANNELS);
