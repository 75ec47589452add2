/** Compiling a schema pays off over thousands of messages, and a client waits for two. Import it before the schemas are made. */
import { config } from "zod";

config({ jitless: true });
