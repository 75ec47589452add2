/** Which of the decisions that the session log has are decisions, as a reader labelled them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Decision } from "../../src/sessions/projections/decisions.ts";
import type { Project } from "../../test/support/project.ts";
import { must } from "../support/recorded-sessions.ts";
import { type Row, round, type Section } from "../support/table.ts";

interface Labelled {
  readonly id: string;
  /** What was asked, or `plan: ` and the title. */
  readonly question: string;
  readonly label: string;
  /** The entry that is the same decision. */
  readonly same_as?: string;
}

/** @param folder has `decisions.json`. */
export async function measureDecisions(folder: string, project: Project): Promise<Section> {
  const file = JSON.parse(readFileSync(join(folder, "decisions.json"), "utf8"));
  const labelled: readonly Labelled[] = file.asked_or_planned;
  const made: readonly Decision[] = JSON.parse(
    await must(project, "decisions", "--status", "all", "--json"),
  );
  const texts = made.map(({ question, decision }) => flat(question ?? decision));
  const isMade = ({ question }: Labelled) => {
    const words = flat(question.replace(/^plan: /, ""));
    return texts.some((text) => text.includes(words) || (text !== "" && words.includes(text)));
  };
  const rows = (["odd", "even", "all"] as const).flatMap((half) => {
    const of = labelled.filter(
      ({ id }) => half === "all" || Number(id.slice(1)) % 2 === (half === "odd" ? 1 : 0),
    );
    return ["asked", "planned"].map((sort): Row => {
      const all = of.filter(
        ({ question, same_as }) =>
          question.startsWith("plan: ") === (sort === "planned") && !same_as,
      );
      const [real, found] = [
        all.filter(({ label }) => label === "real decision"),
        all.filter(isMade),
      ];
      const right = found.filter((one) => real.includes(one)).length;
      return {
        half,
        sort,
        labelled: all.length,
        "in the log": found.length,
        "precision %": round((100 * right) / found.length, 1),
        "recall %": round((100 * right) / real.length, 1),
      };
    });
  });
  const inWords: readonly { readonly quote: string }[] = file.in_conversation;
  const said = inWords.filter(({ quote }) =>
    made.some(({ decision }) => flat(decision).includes(flat(quote))),
  ).length;
  const words: Row = {
    half: "all",
    sort: "in plain words",
    labelled: inWords.length,
    "in the log": said,
    "precision %": "",
    "recall %": round((100 * said) / inWords.length, 1),
  };
  return {
    title: `Decisions: ${made.length} in the session log. Goal: precision 90 %`,
    rows: [...rows, words],
  };
}

const flat = (text: string): string =>
  text
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
