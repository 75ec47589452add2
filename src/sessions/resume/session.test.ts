import { expect, it } from "vitest";
import {
  asks,
  calls,
  decides,
  idAt,
  type Made,
  made,
  result,
  says,
  stops,
} from "../../../test/support/made-events.ts";
import { sessionStates } from "./session.ts";

const REQUEST = "Fix the VAT of Norway in the checkout";
const stateOf = (...events: Made[]) => sessionStates(made(...events))[0];

it("a short request borrows the one before, and a command alone is none", () => {
  const request = { id: idAt(0), text: REQUEST, isQuoted: false };
  expect(stateOf(asks(REQUEST), says("Done."), asks("commit"))?.request).toEqual({
    ...request,
    after: "commit",
  });
  expect(stateOf(asks(REQUEST), asks("commit this"), asks("/exit"))?.request).toMatchObject({
    after: "commit this",
  });
  const plugin = "/some-long-command-of-a-plugin";
  expect(stateOf(asks(REQUEST), asks(plugin))?.request).toEqual({ ...request, after: undefined });
  expect(stateOf(asks(REQUEST), asks(plugin), says("Done."))?.request).toMatchObject({
    after: plugin,
  });
  expect(stateOf(asks("fix it"))?.request?.text).toBe("fix it");
  expect(stateOf(says("Hello."))?.request).toBeUndefined();
});

it("a session ends with a reply, with nobody's, or because the person stopped it", () => {
  const endOf = (...events: Made[]) => stateOf(...events)?.turn.state;
  expect(endOf(asks(REQUEST), says("Done."))).toBe("answered");
  expect(endOf(asks(REQUEST), says("Done."), asks("commit"))).toBe("asked");
  expect(endOf(asks(REQUEST), says("Done."), asks("commit this"), stops, asks("/exit"))).toBe(
    "interrupted",
  );
  expect(endOf(asks(REQUEST), says("I try."), calls({}))).toBe("working");
  expect(endOf(asks(REQUEST), stops, asks("go on"), says("Done."))).toBe("answered");
});

it("the agent's last words are a reply to what was asked last, or came before it", () => {
  expect(stateOf(asks(REQUEST), says("Done."))?.reply).toMatchObject({
    text: "Done.",
    isLast: true,
  });
  expect(stateOf(asks(REQUEST), says("Done."), asks("commit"))?.reply).toMatchObject({
    isLast: false,
  });
});

it("a question waits until somebody answers, a plan until somebody accepts it", () => {
  const [asked, planned] = [calls({ question: "Which?" }), calls({ plan: "Norway" })];
  const refused = result({ outcome: "refused_by_user" }, [idAt(0)]);
  expect(stateOf(asked)?.waiting).toEqual({ what: "question", id: idAt(0), text: "Which?" });
  for (const after of [
    decides("This", {}, [idAt(0)]),
    refused,
    stops,
    asks("No"),
    says("Well."),
    calls({}),
  ]) {
    expect(stateOf(asked, after)?.waiting).toBeUndefined();
  }
  for (const after of [[], [refused], [stops]]) {
    expect(stateOf(planned, ...after)?.waiting).toMatchObject({ what: "plan", text: "Norway" });
  }
  expect(
    stateOf(planned, decides("Plan accepted: Norway", {}, [idAt(0)]))?.waiting,
  ).toBeUndefined();
});

it("the last command is told with its outcome, and the last failure until a success settles it", () => {
  const failed = result({ command: "npm test", outcome: "failed", line: "VAT is 24" });
  const linted = result({ command: "npm run lint" });
  expect(stateOf(failed, linted)).toMatchObject({
    lastCommand: { command: "npm run lint", outcome: undefined },
    failing: { id: idAt(0), command: "npm test", line: "VAT is 24" },
  });
  const settled = stateOf(failed, linted, result({ command: "npm test" }));
  expect(settled?.failing).toBeUndefined();
  expect(
    stateOf({ ...failed, agent: "claude-code/a1" })?.lastCommand,
    "a child agent's own",
  ).toBeUndefined();
});

it("what nobody needs to settle is not told: what only looked, and what came before the last request", () => {
  const fails = (command: string) => result({ command, outcome: "failed" });
  expect(
    stateOf(fails("cd src && grep -r VAT . | head"), fails("ls missing"))?.failing,
  ).toBeUndefined();
  expect(
    stateOf(result({ command: "sed -n 1p a.ts", path: "a.ts", outcome: "failed" }))?.failing,
  ).toBeUndefined();
  const commit = fails("git commit -m 'One'");
  expect(stateOf(commit, result({ command: "git show --stat HEAD" }))?.failing).toBeUndefined();
  expect(
    stateOf(result({ command: "git log" }), commit, result({ command: "git status" }))?.failing,
  ).toBeDefined();
  expect(stateOf(fails("npm test"), asks(REQUEST))?.failing).toBeUndefined();
  expect(stateOf(asks(REQUEST), fails("npm test"), asks("go on"))?.failing?.command).toBe(
    "npm test",
  );
});

it("files in flight are those that were touched last, and whether any edit changed them", () => {
  const state = stateOf(
    result({ path: "a.ts", edits: true }),
    result({ path: "b.ts" }),
    result({ path: "a.ts" }),
    result({ path: "c.ts", edits: true, outcome: "failed" }),
  );
  expect(state?.files.map(({ path, isEdited }) => [path, isEdited])).toEqual([
    ["a.ts", true],
    ["b.ts", false],
  ]);
});

it("the session that ended last comes first", () => {
  const states = sessionStates(
    made({ ...asks("One"), session: "a" }, { ...asks("Two"), session: "b" }),
  );
  expect(states.map(({ session }) => session)).toEqual(["b", "a"]);
});

it("a command in the background has not ended well before it has, and settles nothing", () => {
  const failed = result({ command: "npm test", outcome: "failed" });
  const launched = result({ command: "npm test", goes_on: true });
  expect(stateOf(asks("Test it"), failed, launched)).toMatchObject({
    lastCommand: { command: "npm test", outcome: "goes_on" },
    failing: { command: "npm test" },
  });
  const passed = result({ command: "npm test" });
  expect(stateOf(asks("Test it"), failed, launched, passed)).toMatchObject({
    lastCommand: { outcome: undefined },
    failing: undefined,
  });
});

it("a child agent that another call resumed runs no longer once it has ended", () => {
  const launched = { child_task: "Look", child_agent: "c1" };
  const running = (...events: Made[]) => stateOf(...events)?.running.map(({ text }) => text);
  const first = [calls({ child_task: "Look" }), result({ ...launched, goes_on: true }, [idAt(0)])];
  expect(running(...first)).toEqual(["Look"]);
  expect(
    running(...first, calls({ child_task: "Look again" }), result(launched, [idAt(2)])),
  ).toEqual([]);
});
