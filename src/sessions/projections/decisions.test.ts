import { expect, it } from "vitest";
import { decides, idAt, made } from "../../../test/support/made-events.ts";
import { type DecisionQuery, decisionsOf, findDecisions } from "./decisions.ts";

const standing = (events: Parameters<typeof decisionsOf>[0]) =>
  Object.fromEntries(
    decisionsOf(events).map(({ decision, status, contestedBy }) => [
      decision,
      [status, contestedBy.length],
    ]),
  );

it("a reference to the call or the message that it follows from supersedes nothing, nor does one to itself", () => {
  const events = made(
    { content: { text: "MySQL or Postgres?" } },
    decides("Postgres", {}, [idAt(0), idAt(1)]),
  );
  expect(standing(events)).toEqual({ Postgres: ["active", 0] });
});

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
