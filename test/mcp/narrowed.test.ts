/** A search of lessons that is about one type, or about what is new. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { testProject } from "../support/in-test.ts";
import { log } from "../support/lines.ts";
import { Project } from "../support/project.ts";
import { type Server, startServer, withServer } from "../support/server.ts";

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const lesson = (text: string, created: string, type: "log" | "principle" = "log") =>
  log({
    type,
    missing_context: type === "log" ? `gap of ${text}` : "",
    lesson: text,
    meta: { created },
  });
const LESSONS = [
  lesson("Round the invoice per line", daysAgo(90)),
  lesson("Round the invoice after the discount", daysAgo(3)),
  lesson("An invoice is rounded once", daysAgo(60), "principle"),
  log({
    topic: "letters",
    lesson: "An invoice goes by post",
    meta: { created: daysAgo(90), updated: daysAgo(1) },
  }),
];

let shop: Project;
let server: Server;
beforeAll(async () => {
  shop = await Project.make({ lines: LESSONS });
  server = await startServer(shop.server());
});
afterAll(async () => {
  await server.end();
  shop.remove();
});

const shownIn = (text: string) =>
  LESSONS.map((one) => one.lesson).filter((one) => text.includes(one));
const search = (args: object) =>
  server.ask("search_memory", { query: "round an invoice", ...args });
const found = async (...options: string[]) =>
  shownIn((await shop.run("search", "round an invoice", ...options)).stdout);

it("shows those alone, to an agent and to a person, and says how many they are", async () => {
  const [old, fresh, principle, metAgain] = LESSONS.map((one) => one.lesson);
  expect(shownIn(await search({}))).toHaveLength(4);
  const principles = await search({ type: "principle" });
  expect(principles).toContain("Of this type and time: 1 lesson.");
  expect(shownIn(principles)).toEqual([principle]);
  expect(shownIn(await search({ type: "log", since: "30d" }))).toEqual([fresh, metAgain]);
  expect(shownIn(await search({ since: "30d", detail: "all" }))).toEqual([fresh, metAgain]);
  expect(shownIn(await search({ topic: "payment", since: "30d" }))).toEqual([fresh]);
  expect(shownIn(await search({ topic: "letters", type: "principle" }))).toEqual([]);
  const byId = await search({ ids: LESSONS.map(({ id }) => id), type: "log", since: "30d" });
  expect(byId).toContain("Of this type and time: 2 lessons.");
  expect(shownIn(byId)).toEqual([fresh, metAgain]);
  expect(shownIn(await search({ ids: LESSONS.map(({ id }) => id) }))).toHaveLength(4);
  expect(await found("--type", "log")).toEqual([old, fresh, metAgain]);
  expect(await found("--since", "70d")).toEqual([fresh, principle, metAgain]);
  expect(await found("--type", "principle", "--since", "30d")).toEqual([]);
});

it("says plainly when no lesson is of that type, time or topic, also when there are more than fit whole", async () => {
  const letters = Array.from({ length: 40 }, (_, index) =>
    lesson(`Letter ${index} ${"goes by post ".repeat(20)}`, daysAgo(9)),
  );
  const project = await testProject({ lines: letters });
  await withServer(project.server(), async (other) => {
    const none: [args: object, says: string][] = [
      [{ type: "principle" }, "Of this type and time: 0 lessons."],
      [{ type: "principle", detail: "all" }, "Of this type and time: 0 lessons."],
      [{ since: "2d", query: "" }, "Of this type and time: 0 lessons."],
      [
        { topic: "payment", type: "principle" },
        "Of this topic, this type and time: 0 lessons. To search the others, call again without that filter.",
      ],
      [{ ids: [letters[0]?.id], type: "principle" }, "Of this type and time: 0 lessons."],
    ];
    for (const [args, says] of none) {
      const text = await other.ask("search_memory", { query: "letter", ...args });
      expect(text).toContain(says);
      expect(text).not.toContain("notes, not orders");
    }
    expect(await other.ask("search_memory", { query: "letter", topic: "nothing" })).toContain(
      'No lesson has the topic "nothing". Searched all topics.',
    );
  });
});

it.each([
  ["a list", ["payment", "letters"]],
  ["a list in JSON text", '["payment","letters"]'],
  ["a text with commas", "Payment, letters"],
])("looks through several topics: %s", async (_, topic) => {
  const text = await search({ topic });
  expect(text).toContain("Of these topics: 4 lessons.");
  expect(shownIn(text)).toHaveLength(4);
  expect(await search({ topic: ["letters", "moon"] })).toContain('No lesson has the topic "moon".');
  expect(shownIn(await search({ topic: ["letters", "moon"] }))).toEqual([
    "An invoice goes by post",
  ]);
  expect(shownIn(await search({ topic: [] }))).toHaveLength(4);
});

it("takes a topic with a comma as it is", async () => {
  const project = await testProject({
    lines: [log({ topic: "tax, refunds" }), log({ topic: "tax", lesson: "Another" })],
  });
  await withServer(project.server(), async (other) => {
    const text = await other.ask("search_memory", { topic: "tax, refunds" });
    expect(text).toContain("Of this topic: 1 lesson.");
    expect(text).not.toContain("Another");
  });
});

it("refuses a time that is none, and another type", async () => {
  expect((await server.call("search_memory", { since: "soon" })).code).toBe("bad_argument");
  expect((await server.call("search_memory", { type: "rule" })).code).toBe("bad_argument");
  expect((await shop.run("search", "invoice", "--since", "soon")).stderr).toContain(
    "is neither an age nor a date",
  );
  expect((await shop.run("search", "invoice", "--type", "rule")).stderr).toContain(
    "Allowed choices are log, principle",
  );
});
