/** Runs once before the suite: makes the cluster of PostgreSQL that those of its files are copies of. */
import { CLUSTER, newCluster } from "./postgres-server.ts";
import { removeFolder } from "./scratch.ts";

export function setup(): () => void {
  const { folder } = newCluster();
  process.env[CLUSTER] = folder;
  return () => removeFolder(folder);
}
