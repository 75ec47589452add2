import { CLIENTS, clientNamed } from "./clients.ts";

/** Returns the agent name to store in events. @param clientName as sent in `initialize`. An unrecognized name is kept, trimmed to 60 characters. */
export function agentNamed(clientName = ""): string {
  const known = clientNamed(clientName);
  return known ? (known.agent ?? known.id) : clientName.trim().slice(0, LONGEST) || "agent";
}

/** Whether the agent is a custom agent loop, not one of the supported clients. @param agent as stored in events. */
export function isOwnLoop(agent: string): boolean {
  return !CLIENTS.some((client) => (client.agent ?? client.id) === agent);
}

const LONGEST = 60;
