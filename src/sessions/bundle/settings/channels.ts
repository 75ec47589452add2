/** The policy of `.context/policies/channels.yaml` (docs/design/sessions.md, "Views and policies"). No value of it can share secrets. */
import type { PolicySchema, PolicyValues } from "../../../ground/core/policy.ts";
import { CONTEXT_FOLDER, contextFolder } from "../../../ground/project/context-folder.ts";
import type { Event } from "../../kinds/event.ts";

export const SHARED_VIEWS = ["identity", "rules.project", "glossary"] as const;
const ALL_VIEWS = [...SHARED_VIEWS, "preferences"] as const;
export type ViewName = (typeof ALL_VIEWS)[number];

/** The keys of the file, with their values and defaults. */
export const CHANNELS_POLICY = {
  version: 1,
  fields: {
    private: channel(ALL_VIEWS, ["none", "low", "high"], "high"),
    team: channel(SHARED_VIEWS, ["none", "low", "high"], "low"),
    agent: channel(SHARED_VIEWS, ["none", "low", "high"], "low"),
    public: channel(SHARED_VIEWS, ["none", "low"], "low"),
  },
} as const satisfies PolicySchema & { fields: Record<Event["channel"], unknown> };

export type Channels = PolicyValues<typeof CHANNELS_POLICY>;

/** The file's name in messages. */
export const CHANNELS_NAME = contextFolder(CONTEXT_FOLDER).channelsPolicy;

/** A channel that loads all its views by default. */
function channel<View extends ViewName, Sensitivity extends string>(
  views: readonly View[],
  sensitivities: readonly Sensitivity[],
  highest: Sensitivity,
) {
  return {
    kind: "section",
    fields: {
      views: { kind: "choices", of: views, default: views },
      max_sensitivity: { kind: "choice", of: sensitivities, default: highest },
    },
  } as const;
}
