/** Builds a bundle from a project's stores, for tools, commands and the viewer. */
import { firstWords, grouped, present } from "../../ground/core/text.ts";
import type { Project } from "../../ground/project/find-project.ts";
import { branchOf } from "../../ground/project/git.ts";
import type { OwnWords } from "../../ground/redaction/own-words.ts";
import { MARKS } from "../../ground/redaction/span.ts";
import { eventRedactor } from "../storing/redactor.ts";
import { buildBundle } from "./build-bundle.ts";
import type { Bundle, BundleRequest, Material } from "./bundle.ts";
import { gather, type Sources } from "./gather.ts";
import {
  BUDGETS_NAME,
  mostTokens,
  readSettings,
  type SectionName,
  type Settings,
  type SharedTexts,
} from "./settings/settings.ts";

export interface BundleStores extends Pick<Sources, "events" | "lessons" | "now"> {
  /** The project, or its shared texts if it isn't cloned here. */
  readonly project: Project | SharedTexts;
  readonly ownWords: OwnWords;
}

export interface OpenedBundle {
  readonly bundle: Bundle;
  /** The redacted query. */
  readonly query: string;
  /** One line each for limits that applied, problems of views and policies (only in private bundles), and a renamed intent. */
  readonly notes: readonly string[];
  /** Whether a larger bundle may contain more. */
  readonly isCut: boolean;
}

/** The default is far below the limit, because every token is paid for in each call. */
export const DEFAULT_MAX_TOKENS = 4_000;

export async function openBundle(
  request: BundleRequest,
  { project, events, lessons, ownWords, now }: BundleStores,
): Promise<OpenedBundle> {
  const hasClone = !(project instanceof Map);
  const [settings, branch] = await Promise.all([
    readSettings(project),
    hasClone ? branchOf(project.folder) : undefined,
  ]);
  const maxTokens = Math.min(request.maxTokens, mostTokens(settings.budgets));
  const query = withoutSecrets(request.query, ownWords);
  const asked = { ...request, query, maxTokens };
  const gathered = await gather(asked, { events, lessons, settings, branch, now });
  const unavailableSections = hasClone ? [] : missingIn(settings, lessons);
  const bundle = buildBundle(asked, { ...gathered, unavailableSections });
  const file = hasClone
    ? BUDGETS_NAME
    : "budgets.yaml (the operator gives it with daemon tenant views)";
  const { limits, isCut } = limitsMet(bundle, { request, maxTokens, material: gathered });
  const { intent } = bundle.provenance;
  const named = request.intent?.trim() || intent;
  const settingsNotes = request.channel === "private" ? settings.notes : [];
  const notes = present(
    ...settingsNotes,
    limits.length > 0 && `Limits of ${file} kept something out: ${limits.join(", ")}.`,
    named !== intent && `Intent ${firstWords(named)} is taken as ${intent}.`,
  );
  return { bundle, query, notes, isCut };
}

interface Asked {
  readonly request: BundleRequest;
  /** The largest bundle that the policies allow for this request. */
  readonly maxTokens: number;
  readonly material: Material;
}

/** The keys of the budgets policy that kept items out of the bundle, with their values. */
function limitsMet(
  { sections, omissions, token_used_est }: Bundle,
  { request, maxTokens, material }: Asked,
): { readonly limits: readonly string[]; readonly isCut: boolean } {
  const { budgets } = material.settings;
  const cut = omissions.filter(({ reason }) => reason === "budget").map(({ section }) => section);
  const isFull = material.found?.hits.length === material.mostHits;
  const isCut = cut.length > 0 || isFull;
  const free = maxTokens - token_used_est;
  // The section reached its own cap although the bundle had room for more of it.
  const capped = sections
    .map(({ name, token_est }) => ({ name, token_est, cap: budgets.sections[name].max_tokens }))
    .filter(
      ({ name, token_est, cap }) =>
        cut.includes(name) && cap < maxTokens && cap <= token_est + free,
    );
  const isLess = maxTokens < request.maxTokens && request.maxTokens !== DEFAULT_MAX_TOKENS;
  const isTotalMet = isLess && isCut && (capped.length === 0 || capped.length < cut.length);
  const isSearchMet = isFull && cut.length === 0 && material.mostHits === budgets.limits.chunks;
  const limits = present(
    isTotalMet && `max_tokens or reserve_tokens (${grouped(maxTokens)})`,
    ...capped.map(({ name, cap }) => `sections.${name} (${grouped(cap)})`),
    isSearchMet && `limits.chunks (${grouped(material.mostHits)})`,
  );
  return { limits, isCut };
}

/** The sections for which no texts were shared. */
function missingIn({ views }: Settings, lessons: BundleStores["lessons"]): SectionName[] {
  const isIdentity = views.map(({ name }) => name === "identity");
  return present(
    !isIdentity.includes(true) && "identity",
    !isIdentity.includes(false) && "rules",
    !lessons && "lessons",
  );
}

/** A bundle shows the words of its query, and transcripts keep the bundle. */
function withoutSecrets(query: string, ownWords: OwnWords): string {
  return eventRedactor(ownWords)(query, "message").text.replace(MARKS, " ");
}
