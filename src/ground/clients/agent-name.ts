import { CLIENTS, clientNamed } from "./clients.ts";

/** @param clientName as it gives it in `initialize`; one that nobody knows keeps its name. */
export function agentNamed(clientName = ""): string {
  const known = clientNamed(clientName);
  return known ? (known.agent ?? known.id) : clientName.trim().slice(0, LONGEST) || "agent";
}

/** Whether it is none of the clients: a loop of one's own. @param agent as events name it. */
export function isOwnLoop(agent: string): boolean {
  return !CLIENTS.some((client) => (client.agent ?? client.id) === agent);
}

const LONGEST = 60;
