/** `digest`: adds the lessons that the team agreed on to the instructions of agents without a server. */
import { Argument } from "commander";
import { SentinelError } from "../../../ground/core/errors.ts";
import { plural } from "../../../ground/core/text.ts";
import type { Terminal } from "../../../ground/terminal/terminal.ts";
import type {
  AddSessionCommand,
  SessionCommandContext,
} from "../../../sessions/terminal/project-log.ts";
import { carriersIn, refreshDigest, removeDigest } from "../../digest/digest.ts";
import type { Step } from "../../setup/plan.ts";
import { ProjectFiles } from "../../setup/project-files.ts";
import { printSteps, throwIfLeftAlone } from "../print.ts";

export const addDigest: AddSessionCommand = (program, open) => {
  program
    .command("digest")
    .description("write the team's lessons into CLAUDE.md and AGENTS.md")
    .addArgument(
      new Argument("[state]", "on writes the digest, off removes it (default: update it)").choices([
        "on",
        "off",
      ]),
    )
    .action((state?: "on" | "off") => digest(open(), state));
};

/** @throws SentinelError `not_found` if a new digest would have no lessons. */
async function digest(
  { project, terminal }: SessionCommandContext,
  state?: "on" | "off",
): Promise<void> {
  const files = new ProjectFiles(project.folder);
  if (state === "off") {
    const steps = await removeDigest(files);
    report(terminal, steps);
    return terminal.print(
      steps.length > 0 ? "The digest is off; commit that." : "The digest was off.",
    );
  }
  if (state !== "on" && carriersIn(files).length === 0) {
    return terminal.tell("The digest is off; sentinel-memory digest on writes it.");
  }
  const { lessons, steps } = await refreshDigest(project, state === "on");
  if (state === "on" && lessons.length === 0) {
    const what = "The default branch has no shared lessons, so no digest was written.";
    throw new SentinelError("not_found", what, MERGE_FIRST);
  }
  report(terminal, steps);
  const end = steps.length > 0 ? "; commit it." : ", as before.";
  terminal.print(`The digest is made of ${plural(lessons.length, "lesson")}${end}`);
}

function report(terminal: Terminal, steps: readonly Step[]): void {
  printSteps(terminal, steps);
  throwIfLeftAlone(steps);
}

const MERGE_FIRST =
  "Commit the memory there first. A digest contains only lessons of the default branch, none that are private.";
