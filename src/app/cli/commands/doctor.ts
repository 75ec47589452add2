import { problemOf, SentinelError } from "../../../ground/core/errors.ts";
import { plural } from "../../../ground/core/text.ts";
import type {
  AddSessionCommand,
  SessionCommandContext,
} from "../../../sessions/terminal/project-log.ts";
import { AREAS, type FindingInArea, findingsIn } from "../../findings/areas.ts";
import { findingAsJson, printFinding } from "../print.ts";

interface Options {
  readonly fix?: boolean;
  readonly json?: boolean;
}

export const addDoctor: AddSessionCommand = (program, open) => {
  program
    .command("doctor")
    .description("check the setup and explain how to fix it")
    .option("--fix", "make the repairs that carry no risk")
    .option("--json", "print the results as a JSON array")
    .action((options: Options) => doctor(open(), options));
};

/** @throws SentinelError `check_failed` if something is broken. */
async function doctor(context: SessionCommandContext, options: Options): Promise<void> {
  const { terminal, spelt } = context;
  const all: FindingInArea[] = [];
  let fixed = 0;
  for await (const finding of allFindings(context)) {
    const after = options.fix ? await repaired(finding) : finding;
    if (finding.repair && after.level === "ok") {
      fixed += 1;
    }
    all.push(after);
    if (!options.json) {
      printFinding(terminal, after);
    }
  }
  if (options.json) {
    terminal.printJson(all.map((finding) => findingAsJson(finding, spelt)));
  } else if (options.fix) {
    terminal.print(summary(fixed, all));
  }

  const broken = all.filter(({ level }) => level === "broken").length;
  if (broken === 0) {
    return;
  }
  const what = `${plural(broken, "thing")} broken.`;
  throw new SentinelError("check_failed", what, "Each finding has its fix.");
}

/** Examines one area after another, so that each area sees the repairs in earlier ones. */
async function* allFindings(context: SessionCommandContext): AsyncGenerator<FindingInArea> {
  for (const area of AREAS) {
    const found = await findingsIn([area], context);
    yield* found;
    // If the checkout lacks the memory's folder, other areas would advise creating files that git already has.
    if (area === "checkout" && found.length > 0) {
      return;
    }
  }
}

function summary(fixed: number, all: readonly FindingInArea[]): string {
  const done = `--fix: ${plural(fixed, "thing")} fixed`;
  const left = all.filter(({ fix }) => fix !== undefined).length;
  return left === 0 ? `${done}.` : `${done}; ${left} left to you, with what to do below each.`;
}

/** Repairs a finding if it can. @returns the finding after that. */
async function repaired(finding: FindingInArea): Promise<FindingInArea> {
  const { repair, fix: _, ...others } = finding;
  if (!repair) {
    return finding;
  }
  try {
    await repair();
    return { ...others, level: "ok", what: `${finding.what} (repaired)` };
  } catch (error) {
    const { what, fix } = problemOf(error);
    return { ...others, what: `${finding.what} (not repaired: ${what})`, fix };
  }
}
