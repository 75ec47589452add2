/** What each kind of step does, and what it finds. */
import { rm } from "node:fs/promises";
import { exchange } from "../support/exchange.ts";
import { runProcess } from "../support/run-process.ts";
import type { Answer } from "../support/server.ts";
import { checkAssertion } from "./assertions.ts";
import { takeBundle } from "./bundle-step.ts";
import { type Check, check, checkAnswer, checkExit, checkText } from "./check.ts";
import type { AnswerExpectation } from "./expectations.ts";
import { msOf, tellHappened } from "./happened.ts";
import type { Path } from "./read-scenario.ts";
import type { CallStep, Step } from "./scenario.ts";
import type { Story } from "./story.ts";

type StepOf<Verb extends string> = Extract<Step, Record<Verb, unknown>>;

/** Only tells a command that hangs from one that reads a year into a record. */
const DEADLINE_MS = 300_000;

export async function takeStep(step: Step, story: Story): Promise<Check[]> {
  const { project } = story;
  if ("call" in step) {
    return takeCall(step, story, []);
  }
  if ("list" in step) {
    return hear(success(await (await story.agent(step.as)).list(step.list)), step, story, []);
  }
  if ("prompt" in step) {
    return hear(
      success(await (await story.agent(step.as)).prompt(step.prompt, step.with)),
      step,
      story,
      [],
    );
  }
  if ("connect" in step) {
    return nothing(story.connect(step.connect, step));
  }
  if ("restart" in step) {
    return nothing(story.restart(step.restart));
  }
  if ("write" in step) {
    return nothing(project.write(step.write, step.text));
  }
  if ("append" in step) {
    return nothing(project.append(step.append, step.text));
  }
  if ("remove" in step) {
    return nothing(rm(project.path(step.remove), { recursive: true }));
  }
  if ("happened" in step) {
    return nothing(tellHappened(step, story));
  }
  if ("later" in step) {
    return nothing(story.later(msOf(step.later)));
  }
  if ("bundle" in step) {
    const { text, checks } = await takeBundle(step, story);
    return [...checks, ...hear(success(text), { capture: step.capture }, story, [])];
  }
  if ("git" in step) {
    return takeGit(step, story);
  }
  if ("run" in step) {
    return takeRun(step, story);
  }
  if ("exchange" in step) {
    return takeExchange(step, story);
  }
  const checked = step.check.map((assertion, index) =>
    checkAssertion(assertion, story, ["check", index]),
  );
  return (await Promise.all(checked)).flat();
}

async function takeCall(
  { call, with: args, as, ...expected }: CallStep,
  story: Story,
  at: Path,
): Promise<Check[]> {
  const agent = await story.agent(as);
  return hear(await agent.call(call, args), expected, story, at);
}

async function takeGit(
  { git, in: folder, expect }: StepOf<"git">,
  { project }: Story,
): Promise<Check[]> {
  const [first = "", ...rest] = git;
  // One text is split at its spaces; arguments that have some are given as a list.
  const args = rest.length > 0 ? git : first.split(" ");
  return checkExit(expect ?? { exit: 0 }, await project.tryGit(args, folder), ["expect"]);
}

async function takeRun(
  { run, stdin, expect, ...place }: StepOf<"run">,
  story: Story,
): Promise<Check[]> {
  const { args: _, ...surroundings } = story.place(place);
  const ended = await runProcess(process.execPath, [story.bin, ...run], {
    ...surroundings,
    stdin,
    deadline: DEADLINE_MS,
  });
  return checkExit(expect ?? { exit: 0 }, ended, ["expect"]);
}

async function takeExchange(step: StepOf<"exchange">, story: Story): Promise<Check[]> {
  const { exchange: lines, wait_for: waitFor, ending, expect } = step;
  const place = story.place(step);
  const came = await exchange({
    bin: story.bin,
    ...place,
    lines,
    waitFor,
    ending,
    within: expect.within,
  });
  const noAnswer = (id: number) => `no answer to ${id}; standard error: ${came.stderr}`;
  return [
    ...Object.entries(expect.answers).flatMap(([id, expectation]) => {
      const at = ["expect", "answers", id];
      const text = came.answers.get(Number(id));
      return text === undefined
        ? check(at, false, `an answer to ${id}`, noAnswer(Number(id)))
        : checkText(expectation, text, at);
    }),
    ...expect.unanswered.map((id, index) =>
      check(
        ["expect", "unanswered", index],
        !came.answers.has(id),
        noAnswer(id),
        came.answers.get(id) ?? "",
      ),
    ),
    check(
      ["exchange"],
      came.noise.length === 0,
      "nothing but protocol messages",
      came.noise.join("\n"),
    ),
    ...checkExit(expect, came, ["expect"]),
  ];
}

interface Expected {
  readonly expect?: AnswerExpectation | undefined;
  readonly capture?: Readonly<Record<string, string>> | undefined;
}

/** Compares an answer with what is expected, and keeps what the story wants to use later. */
function hear(
  heard: Answer,
  { expect = {}, capture = {} }: Expected,
  { values }: Story,
  at: Path,
): Check[] {
  const captured = Object.entries(capture).map(([name, pattern]) => {
    const found = new RegExp(pattern, "mu").exec(heard.text);
    if (found) {
      values.set(name, found[1] ?? found[0]);
    }
    return check(
      [...at, "capture", name],
      found !== null,
      `text that matches /${pattern}/`,
      heard.text,
    );
  });
  return [...checkAnswer(expect, heard, [...at, "expect"]), ...captured];
}

function success(text: string): Answer {
  return { text, isError: false, code: undefined };
}

async function nothing(done: Promise<unknown>): Promise<Check[]> {
  await done;
  return [];
}
