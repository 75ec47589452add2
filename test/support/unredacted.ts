import type { RedactedText } from "../../src/ground/redaction/redact.ts";
import type { Redactor } from "../../src/sessions/storing/redactor.ts";

/** Leaves every text as it is: for events without secrets, and to see that a search for secrets finds them. */
export const UNREDACTED: Redactor = (text) => ({ text: text as RedactedText, kinds: [] });
