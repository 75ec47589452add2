import type { Page } from "../../ground/terminal/layout.ts";
import type { Spell } from "../../ground/terminal/shell.ts";
import { factRows, texts } from "../../lessons/terminal/lessons.ts";
import type { Offer } from "./offers.ts";

/** Formats an offer for a terminal: its evidence, then the proposed or existing lesson. @param title starts the first line. */
export function evidence(offer: Offer, page: Page, spelt: Spell, title = offer.id): string {
  const { facts, output = [], proposal, aged } = offer;
  const spelled = Object.entries(facts).map(([name, fact]) => [name, spelt(fact)]);
  return [
    page.colours.yellow(title),
    ...factRows(Object.fromEntries(spelled), page),
    ...output.map((line) => page.colours.dim(`  ${line}`)),
    page.colours.bold(aged ? "the lesson:" : "as a lesson:"),
    ...factRows({ topic: proposal.topic }, page),
    ...texts({ ...proposal, id: "", meta: { created: "" } }),
  ].join("\n");
}
