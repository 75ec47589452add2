/** `digest`: the lessons that the team agreed on, in the instructions of agents that have no server. */
import { Argument } from "commander";
import { SentinelError } from "../../../ground/core/errors.ts";
import { plural } from "../../../ground/core/text.ts";
import { digestible, removeDigest, writeDigest } from "../../digest/digest.ts";
import { carriersFor, carriersInUse } from "../../digest/digest-edits.ts";
import type { Step } from "../../setup/plan.ts";
import { ProjectFiles } from "../../setup/project-files.ts";
import type { AddCommand, CommandContext } from "../command.ts";
import { printSteps, throwIfLeftAlone } from "../steps.ts";

export const addDigest: AddCommand = (program, open) => {
  program
    .command("digest")
    .description("keep what the team agreed on in CLAUDE.md and AGENTS.md, for agents without the server")
    .addArgument(
      new Argument(
        "[state]",
        "on writes it, off takes it out of every file; without, it is brought up to date",
      ).choices(["on", "off"]),
    )
    .action((state: "on" | "off" | undefined) => {
      if (state === undefined) return again(open());
      return state === "on" ? turnOn(open()) : turnOff(open());
    });
};

async function again(context: CommandContext): Promise<void> {
  const carriers = carriersInUse(new ProjectFiles(context.project.folder));
  if (carriers.length > 0) return write(context, carriers);
  context.terminal.print(context.spelt("The digest is off; sentinel-memory digest on writes it."));
}

async function turnOn(context: CommandContext): Promise<void> {
  const files = new ProjectFiles(context.project.folder);
  const inUse = carriersInUse(files);
  await write(context, inUse.length > 0 ? inUse : carriersFor(files), true);
}

/** @throws SentinelError `not_found` for a new digest without a lesson. */
async function write(context: CommandContext, carriers: readonly string[], isNew = false): Promise<void> {
  const { project, lessons, terminal } = context;
  const agreed = await digestible(project, await lessons.read());
  if (isNew && agreed.length === 0) throw nothingAgreed();
  const steps = await writeDigest(carriers, agreed, new ProjectFiles(project.folder));
  printSteps(terminal, steps, said);
  throwIfLeftAlone(steps);
  terminal.print(
    `The digest has ${plural(agreed.length, "lesson")}${steps.length > 0 ? "; commit it." : ", as before."}`,
  );
}

async function turnOff({ project, terminal }: CommandContext): Promise<void> {
  const steps = await removeDigest(new ProjectFiles(project.folder));
  printSteps(terminal, steps, said);
  throwIfLeftAlone(steps);
  terminal.print(steps.length > 0 ? "The digest is off; commit that." : "The digest was off.");
}

function said({ before, after, problem }: Step): string {
  if (problem) return "left alone";
  if (after === undefined) return "removed";
  return before === undefined ? "written" : "changed";
}

function nothingAgreed(): SentinelError {
  return new SentinelError(
    "not_found",
    "The default branch has no lesson that everybody could use, so no digest was written.",
    "Commit the memory there first: a digest has what a team has merged, and nothing that is private or of one branch.",
  );
}
