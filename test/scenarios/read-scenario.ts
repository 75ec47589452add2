/** From a scenario file to a scenario that knows the line each of its parts stands on. */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import type { z } from "zod";
import { type Scenario, scenarioSchema } from "./scenario.ts";

/** Where something stands in a scenario: keys and positions, from the top. */
export type Path = readonly PropertyKey[];

export interface ScenarioFile {
  /** As in failure messages. */
  readonly file: string;
  readonly scenario: Scenario;
  /** The line of a part, or of the nearest part around it. */
  readonly lineOf: (path: Path) => number;
}

/** @throws Error that names the file and the line of each thing that is wrong. */
export async function readScenario(path: string): Promise<ScenarioFile> {
  const lines = new LineCounter();
  const document = parseDocument(await readFile(path, "utf8"), { lineCounter: lines });
  const [error] = document.errors;
  if (error) {
    throw new Error(`${path}:${lines.linePos(error.pos[0]).line}: ${error.message}`);
  }

  const lineOf = (part: Path) => lines.linePos(startOf(document, part)).line;
  const result = scenarioSchema.safeParse(document.toJS());
  if (!result.success) {
    throw new Error(result.error.issues.map((issue) => tell(issue, path, lineOf)).join("\n"));
  }
  if (`${result.data.id}.scenario.yaml` !== basename(path)) {
    throw new Error(
      `${path}:${lineOf(["id"])}: the id is "${result.data.id}"; a scenario is named after its file.`,
    );
  }
  return { file: path, scenario: result.data, lineOf };
}

function tell(issue: z.core.$ZodIssue, file: string, lineOf: (path: Path) => number): string {
  const unknown = issue.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const path = [...issue.path, ...unknown];
  return `${file}:${lineOf(path)}: ${path.join(".")}: ${issue.message}`;
}

function startOf(document: Document, path: Path): number {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) {
      return node.range[0];
    }
  }
  return 0;
}
