/** Runs once before the suite: makes a PostgreSQL cluster, which each test file copies. */
import { CLUSTER, newCluster } from "./postgres-server.ts";
import { removeFolder } from "./scratch.ts";

export function setup(): () => void {
  const { folder } = newCluster();
  process.env[CLUSTER] = folder;
  return () => removeFolder(folder);
}
