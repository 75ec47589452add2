import { expect, it } from "vitest";
import { decides, idAt, made } from "../../../test/support/made-events.ts";
import { decisionsOf } from "./decisions.ts";
import { type DecisionQuery, findDecisions } from "./find-decisions.ts";

const MADE = decisionsOf(
  made(
    decides("Invoices are kept in MySQL"),
    decides("Invoices are kept in Postgres", { supersedes: idAt(0), alternatives: ["SQLite"] }),
    decides("Amounts are in cents", { rationale: ["Rounding lost a cent"] }),
  ),
);
const found = (query: DecisionQuery) => findDecisions(MADE, query).map(({ decision }) => decision);

it("without words the newest comes first, and what does not hold any more only where it is asked for", () => {
  expect(found({})).toEqual(["Amounts are in cents", "Invoices are kept in Postgres"]);
  expect(found({ status: "superseded" })).toEqual(["Invoices are kept in MySQL"]);
  expect(found({ status: "all" })).toHaveLength(3);
  expect(found({ since: Date.parse(MADE[2]?.ts ?? "") })).toEqual(["Amounts are in cents"]);
});

it("is found by any of its words, also by what was not chosen and why", () => {
  expect(found({ query: "why did we not take sqlite?" })).toEqual([
    "Invoices are kept in Postgres",
  ]);
  expect(found({ query: "rounding" })).toEqual(["Amounts are in cents"]);
  expect(found({ query: "kangaroo" })).toEqual([]);
});
