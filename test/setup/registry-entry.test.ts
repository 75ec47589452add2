/** What the MCP registry would list, against the rules of its schema of 2025-12-11 and what it checks besides. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import packageJson from "../../package.json" with { type: "json" };
import { REGISTRY_FILE, registryEntry } from "../../scripts/registry-entry.ts";

/** The parts of the schema that an entry of ours uses, and no others: a field that the schema does not have is a mistake here. */
const input = {
  description: z.string().optional(),
  format: z.enum(["string", "number", "boolean", "filepath"]).optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
  value: z.string().optional(),
  default: z.string().optional(),
};
const specific = z
  .string()
  .min(1)
  .max(255)
  .regex(/^(?!latest$)(?!.*[\^~<>*]|.*\.x)/);
const schema = z.strictObject({
  $schema: z.literal(
    "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  ),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100).optional(),
  description: z.string().min(1).max(100),
  version: specific,
  packages: z.array(
    z.strictObject({
      registryType: z.enum(["npm", "pypi", "oci", "nuget", "mcpb", "maven"]),
      identifier: z.string(),
      version: specific,
      transport: z.strictObject({ type: z.literal("stdio") }),
      packageArguments: z
        .array(z.strictObject({ type: z.literal("named"), name: z.string(), ...input }))
        .optional(),
    }),
  ),
});

const entry = JSON.parse(readFileSync(REGISTRY_FILE, "utf8"));

describe("the entry of the registry", () => {
  it("is what its source makes (npm run generate writes it)", () => {
    expect(readFileSync(REGISTRY_FILE, "utf8")).toBe(registryEntry());
  });

  it("follows the schema", () => {
    expect(schema.safeParse(entry).error?.issues ?? []).toEqual([]);
  });

  it("names the package that names it, in one version: by that the registry knows the owner", () => {
    const { name, mcpName, version } = packageJson;
    expect(entry).toMatchObject({
      name: mcpName,
      version,
      packages: [{ identifier: name, version }],
    });
  });
});
