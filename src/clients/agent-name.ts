/** What events call a client. */
import { CLIENTS } from "./clients.ts";

/** @param clientName as it gives it in `initialize`; one that nobody knows keeps its name. */
export function agentNamed(clientName = ""): string {
  const known = CLIENTS.find((client) => client.clientName?.test(clientName));
  return known ? (known.agent ?? known.id) : clientName.trim().slice(0, LONGEST) || "agent";
}

const LONGEST = 60;
