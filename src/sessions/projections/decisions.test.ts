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

it("a decision holds until a later one supersedes it; one that only rests on it does not", () => {
  const events = made(
    decides("MySQL"),
    decides("Postgres", { supersedes: idAt(0) }),
    decides("Tabs"),
    decides("Tabs of four", {}, [idAt(2)]),
  );
  const wanted = {
    MySQL: ["superseded", 0],
    Postgres: ["active", 0],
    Tabs: ["active", 0],
    "Tabs of four": ["active", 0],
  };
  expect(standing(events)).toEqual(wanted);
  expect(standing(events.reverse()), "in any order").toEqual(wanted);
});

it("two that supersede the same one at once both hold, and each says so", () => {
  const both = [
    decides("Postgres", { supersedes: idAt(0) }),
    decides("SQLite", { supersedes: idAt(0) }),
  ];
  const events = made(decides("MySQL"), ...both);
  expect(standing(events)).toEqual({
    MySQL: ["superseded", 0],
    Postgres: ["active", 1],
    SQLite: ["active", 1],
  });
  const settled = made(
    decides("MySQL"),
    ...both,
    decides("Postgres after all", { supersedes: [idAt(2), idAt(1)] }),
  );
  expect(standing(settled)).toMatchObject({
    SQLite: ["superseded", 0],
    "Postgres after all": ["active", 0],
  });
});

it("what superseded a decision may be purged, and then it holds again", () => {
  const [first] = made(decides("MySQL"), decides("Postgres", { supersedes: idAt(0) }));
  expect(standing(first ? [first] : [])).toEqual({ MySQL: ["active", 0] });
});

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
