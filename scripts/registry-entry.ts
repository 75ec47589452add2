/**
 * What the MCP registry lists, made from the manifest of the package: `npm run generate` writes server.json, and a test fails when it is not
 * current. The registry takes it only under a name that stands in the package as `mcpName`.
 */
import packageJson from "../package.json" with { type: "json" };

const { name, mcpName, version } = packageJson;

export const REGISTRY_FILE = "server.json";

/** The text of server.json. */
export function registryEntry(): string {
  const entry = {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: mcpName,
    title: "Sentinel Memory",
    description:
      "A project memory for coding agents: lessons in one reviewed text file, shared by git.",
    version,
    packages: [
      {
        registryType: "npm",
        identifier: name,
        version,
        transport: { type: "stdio" },
        packageArguments: [
          {
            type: "named",
            name: "--project",
            description: "The project's folder; without it, the project of the working directory",
            format: "filepath",
          },
        ],
      },
    ],
  };
  return `${JSON.stringify(entry, null, 2)}\n`;
}
