import packageJson from "../../../package.json" with { type: "json" };
import { broken, type Diagnosis, ok } from "./diagnosis.ts";

export function checkNode(): Diagnosis[] {
  const oldest = packageJson.engines.node.replace(/^\D+/, "");
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [leastMajor = 0, leastMinor = 0] = oldest.split(".").map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return [ok(`Node ${process.versions.node}`)];
  const what = `Node ${process.versions.node} is older than ${oldest}, the oldest that is supported.`;
  return [broken(what, "Install a newer Node, and see that your agents find it in their PATH.")];
}
