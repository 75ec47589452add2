/** A bundle from the stores of a project, as every face asks for one: a tool, a command, a hook. */
import { firstWords, grouped, plural, present } from "../../ground/core/text.ts";
import type { Project } from "../../ground/project/find-project.ts";
import { branchOf } from "../../ground/project/git.ts";
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import { MARKS } from "../../ground/redaction/span.ts";
import { eventRedactor } from "../storing/redactor.ts";
import { buildBundle } from "./build-bundle.ts";
import type { Bundle, BundleRequest } from "./bundle.ts";
import { gather, type Sources } from "./gather.ts";
import { BUDGETS_NAME, mostTokens, type SectionName } from "./settings/budgets.ts";
import { readSettings, type Settings } from "./settings/settings.ts";
import type { SharedTexts } from "./settings/shared-texts.ts";

export interface BundleStores extends Pick<Sources, "events" | "lessons" | "now"> {
  /** The texts that are shared where there is no clone of it. */
  readonly project: Project | SharedTexts;
  readonly ownWords: OwnWords;
}

/** Without a limit of their own, bundles are far smaller than what is allowed: every token of theirs is paid for in each call. */
export const DEFAULT_MAX_TOKENS = 4_000;

/** @returns the bundle, and notes, a line each: what is wrong with the views and policies, for the person alone, and where it is not as asked for; `isCut` where a larger one may have more. */
export async function openBundle(
  request: BundleRequest,
  { project, events, lessons, ownWords, now }: BundleStores,
): Promise<{ bundle: Bundle; notes: readonly string[]; isCut: boolean }> {
  const hasClone = !(project instanceof Map);
  const [settings, branch] = await Promise.all([
    readSettings(project),
    hasClone ? branchOf(project.folder) : undefined,
  ]);
  const most = Math.min(request.maxTokens, mostTokens(settings.budgets));
  const asked = { ...request, query: harmless(request.query, ownWords), maxTokens: most };
  const unavailableSections = hasClone ? [] : missingIn(settings, lessons);
  const material = {
    ...(await gather(asked, { events, lessons, settings, branch, now })),
    unavailableSections,
  };
  const bundle = buildBundle(asked, material);
  const { intent } = bundle.provenance;
  const named = request.intent?.trim() || intent;
  const cut = bundle.omissions
    .filter(({ reason }) => reason === "budget")
    .map(({ section }) => section);
  const capOf = (name: SectionName) => settings.budgets.sections[name].max_tokens;
  const file = hasClone
    ? BUDGETS_NAME
    : "budgets.yaml, which the operator gives with daemon tenant views";
  // Its own cap held a section where the whole had room for more of it.
  const free = most - bundle.token_used_est;
  const capped = bundle.sections.filter(
    ({ name, token_est }) =>
      cut.includes(name) && capOf(name) < most && capOf(name) <= token_est + free,
  );
  const isFull = material.found?.hits.length === material.mostHits;
  const isCut = cut.length > 0 || isFull;
  const isLessThanAsked =
    most < request.maxTokens && request.maxTokens !== DEFAULT_MAX_TOKENS && isCut;
  const notes = present(
    ...(request.channel === "private" ? settings.notes : []),
    isLessThanAsked &&
      (capped.length === 0 || capped.length < cut.length) &&
      `A bundle takes ${grouped(most)} tokens at most here, so it has no more (max_tokens and reserve_tokens of ${file}).`,
    ...capped.map(
      ({ name }) =>
        `The section ${name} takes ${grouped(capOf(name))} tokens at most here, so more of it was left out (sections of ${file}).`,
    ),
    cut.length === 0 &&
      isFull &&
      material.mostHits === settings.budgets.limits.chunks &&
      `A search finds ${plural(material.mostHits, "part")} at most here, so there may be more (limits of ${file}).`,
    named !== intent && `Intent ${firstWords(named)} is taken as ${intent}.`,
  );
  return { bundle, notes, isCut };
}

/** The sections for which nobody has shared anything. */
function missingIn({ views }: Settings, lessons: BundleStores["lessons"]): SectionName[] {
  const isIdentity = views.map(({ name }) => name === "identity");
  return present(
    !isIdentity.includes(true) && "identity",
    !isIdentity.includes(false) && "rules",
    !lessons && "lessons",
  );
}

/** A bundle shows the words of its query, and agents keep their transcripts: what must not be stored is none of them. */
function harmless(query: string, ownWords: OwnWords): string {
  return eventRedactor(ownWords)(query, "message").text.replace(MARKS, " ");
}
