/**
 * How schemas read messages and arguments. Compiling a reader for each pays off over thousands of messages, and a client waits for the
 * first two. Import it before the schemas are made.
 */
import { config } from "zod";

config({ jitless: true });
