/**
 * ForgetEval (deeplethe/lethe on GitHub, MIT) on the real tools: is what was replaced, forgotten or purged really gone, and what has
 * to stay still there? `npm run bench:forget -- --data DIR [--only template|adversarial] [--each] [--json]`. DIR is a checkout of
 * that repository; its cases come from its own generator, which needs python3, and never into this project.
 *
 * Its six methods: reset is a new project; inscribe is `log_memory`; supersede is `log_memory` with `replaces`; release is `forget`
 * and purge is `purge`, each after a search; recall is the first `search_memory` of a new session, as far as its tenth lesson. Server and
 * commands run in this process. The words of a request say which lessons are meant (`forget-choice.ts`). What fails is played again with
 * those lessons that the case itself names: what then passes was a wrong choice, not a lesson that came back.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { filesWith } from "../test/support/files-with.ts";
import { removeFolder, scratchFolder } from "../test/support/scratch.ts";
import { dataFolder } from "./data-folder.ts";
import { meantBy, replacedBy, type Shown } from "./forget-choice.ts";
import { intervalOf } from "./interval.ts";
import { print, type Row } from "./table.ts";
import { openSession, runHere } from "./tools-in-process.ts";

interface Case {
  readonly id: string;
  readonly family: string;
  readonly setup_facts: readonly string[];
  readonly mutations: readonly (readonly [kind: string, query: string, text?: string])[];
  readonly final_query: string;
  readonly must_contain: readonly string[];
  readonly must_not_contain: readonly string[];
}

type Session = Awaited<ReturnType<typeof openSession>>;

interface Chooser {
  replaced(query: string, ranked: readonly Shown[]): Shown | undefined;
  meant(query: string, ranked: readonly Shown[]): readonly Shown[];
}

interface Outcome {
  readonly missing: readonly string[];
  readonly left: readonly string[];
  /** Files that still hold what was purged. */
  readonly files: number;
  /** Whether a text lost a secret as it was saved. */
  readonly redacted: boolean;
}

const EXPORT = `
import json, sys
sys.path.insert(0, sys.argv[1])
from bench.forgeteval.generate import generate
from bench.forgeteval.adversarial import ADVERSARIAL_TESTS as made
try:
    from bench.forgeteval.adversarial_generated import ADVERSARIAL_GENERATED as more
except ImportError:
    more = {}
groups = {"template": generate(200), "adversarial": made + [case for cases in more.values() for case in cases]}
print(json.dumps({name: [vars(case) for case in cases] for name, cases in groups.items()}))
`;
const MOST_BYTES = 1e8;
const BY_WORDS: Chooser = { replaced: replacedBy, meant: meantBy };

const options = {
  data: { type: "string" },
  only: { type: "string" },
  each: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
} as const;
const { values } = parseArgs({ options });
const data = dataFolder(values.data, "bench:forget", "a checkout of deeplethe/lethe");
const exported = execFileSync("python3", ["-c", EXPORT, data], {
  maxBuffer: MOST_BYTES,
  encoding: "utf8",
});
const groups: Readonly<Record<string, readonly Case[]>> = JSON.parse(exported);

const rates: Row[] = [];
const kinds: Row[] = [];
const failures: Row[] = [];
for (const [group, cases] of Object.entries(groups)) {
  if (values.only !== undefined && values.only !== group) continue;
  const passed = new Map<string, boolean[]>();
  const failed = new Map<string, number>();
  for (const one of cases) {
    const outcome = await play(one, BY_WORDS);
    const isRight = passes(outcome);
    const part = group === "adversarial" ? one.id.replace(/^adv_|_\d+$/g, "") : one.family;
    passed.set(part, [...(passed.get(part) ?? []), isRight]);
    if (isRight) continue;
    const kind = await kindOf(one, outcome);
    failed.set(kind, (failed.get(kind) ?? 0) + 1);
    failures.push({
      case: one.id,
      kind,
      missing: outcome.missing.join("; "),
      left: outcome.left.join("; "),
    });
  }
  for (const [part, results] of [...passed, ["all", [...passed.values()].flat()] as const])
    rates.push({ cases: group, part, ...rateOf(results) });
  for (const [kind, count] of failed) kinds.push({ cases: group, kind, count });
}
const sections = [
  { title: "ForgetEval: gone what has to go, there what has to stay", rows: rates },
  { title: "What failed, by kind", rows: kinds },
  ...(values.each ? [{ title: "Each that failed", rows: failures }] : []),
];
print(sections, values.json);

/** Plays a case in a project of its own: one session that logs and forgets, another that asks. */
async function play(one: Case, choose: Chooser): Promise<Outcome> {
  const folder = scratchFolder("forget");
  mkdirSync(join(folder, ".context"));
  try {
    let redacted = false;
    const first = await openSession(folder);
    for (const fact of one.setup_facts) redacted = (await inscribe(first, fact)) || redacted;
    for (const [kind, query, text = ""] of one.mutations) {
      if (kind === "supersede") {
        const old = choose.replaced(query, await rankedBy(first, `${query} ${text}`));
        redacted = (await inscribe(first, text, old)) || redacted;
      } else await take(folder, kind, choose.meant(query, await rankedBy(first, query)));
    }
    const second = await openSession(folder);
    const answer = await second.ask("search_memory", { query: one.final_query });
    const [firstTen = ""] = answer.split("\n#11 ");
    const seen = firstTen.toLowerCase();
    const left = one.must_not_contain.filter((text) => seen.includes(text.toLowerCase()));
    const isPurged = one.mutations.every(([kind]) => kind === "purge") && left.length === 0;
    return {
      missing: one.must_contain.filter((text) => !seen.includes(text.toLowerCase())),
      left,
      files: isPurged ? one.must_not_contain.flatMap((text) => filesWith(folder, text)).length : 0,
      redacted,
    };
  } finally {
    removeFolder(folder);
  }
}

/** @returns whether a secret was taken out of it. */
async function inscribe(session: Session, text: string, old?: Shown): Promise<boolean> {
  const replaces = old === undefined ? {} : { replaces: [old.ref] };
  const said = await session.ask("log_memory", {
    topic: "facts",
    missing_context: text,
    lesson: text,
    ...replaces,
  });
  return /^Redacted /m.test(said);
}

async function take(folder: string, kind: string, lessons: readonly Shown[]): Promise<void> {
  const refs = lessons.map(({ ref }) => ref);
  if (kind === "purge") for (const ref of refs) await runHere(folder, ["purge", ref, "--yes"]);
  else if (refs.length > 0) await runHere(folder, ["forget", ...refs, "--yes"]);
}

/** All lessons, best match first. */
async function rankedBy(session: Session, query: string): Promise<readonly Shown[]> {
  const answer = await session.ask("search_memory", { query, detail: "all" });
  const shown = answer.matchAll(/^#\d+ (\S+) .*\n(?:.*\n)*?lesson: (.*)$/gm);
  return [...shown].map(([, ref = "", text = ""]) => ({ ref, text }));
}

function passes({ missing, left, files }: Outcome): boolean {
  return missing.length === 0 && left.length === 0 && files === 0;
}

async function kindOf(one: Case, { left }: Outcome): Promise<string> {
  const last = one.mutations.findLast(([kind]) => kind === "supersede")?.[2] ?? "";
  const staying = one.setup_facts.filter((fact) =>
    one.must_contain.some((text) => holds(fact, text)),
  );
  const kept = [
    last,
    ...one.must_contain,
    ...staying.filter((fact) => !one.must_not_contain.some((text) => isWord(fact, text))),
  ];
  if (left.some((text) => kept.some((keep) => holds(keep, text))))
    return "the case forbids a text that it asks for";
  if (
    one.must_not_contain.some((text) =>
      one.setup_facts.some((fact) => holds(fact, text) && !isWord(fact, text)),
    )
  )
    return "a text beside it holds the forbidden one inside a word";
  const isNamed = ({ text }: Shown) => one.must_not_contain.some((part) => holds(text, part));
  const asNamed: Chooser = {
    replaced: (_query, ranked) => ranked.find(isNamed),
    meant: (_query, ranked) => ranked.filter(isNamed),
  };
  const outcome = await play(one, asNamed);
  if (passes(outcome)) return "the words chose another lesson, or one too many";
  if (outcome.missing.length === 0) return "one request would have to replace two lessons";
  if (outcome.redacted) return "what has to stay was taken out as a secret";
  const isOne = staying.some((fact) => isNamed({ ref: "", text: fact }));
  return isOne ? "one lesson held both facts" : "not explained";
}

function holds(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}

function isWord(text: string, part: string): boolean {
  const at = text.toLowerCase().indexOf(part.toLowerCase());
  return at >= 0 && !/\w/.test(text[at - 1] ?? "") && !/\w/.test(text[at + part.length] ?? "");
}

function rateOf(results: readonly boolean[]): Row {
  const right = results.filter(Boolean).length;
  return {
    passed: right,
    of: results.length,
    "%": Math.round((1000 * right) / results.length) / 10,
    "95 %": intervalOf(right, results.length),
  };
}
