import { redact } from "../src/ground/redaction/redact.ts";

/** Something for every detector to look at. */
const ORDINARY_NOTE = `The password for "app" is winter24!, see https://app:winter24@db/x%20y?sig=1&amp;b=2
-----BEGIN and eyJ: curl -u app:winter24 -H "Authorization: Bearer winter24" \\n {"api_key": "winter24"} |
  token = a1b2c3d4e5f6g7h8i9j0
  klmnop commit 0123456789abcdef | echo winter24 | tool login`;

/** Runs every pattern once: the first real text would pay for compiling them. */
export function redactFirst(): void {
  redact(ORDINARY_NOTE);
  redact(`${ORDINARY_NOTE} 비밀번호는 winter24!`); // the engine compiles again for text beyond Latin-1
}
