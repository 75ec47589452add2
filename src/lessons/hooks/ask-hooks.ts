/** Asks the hooks what an agent would get, in a new session of which nothing is kept. */
import type { EventKind, HookEvent, HookProtocol } from "../../ground/clients/hook-event.ts";
import { type Work, workOn } from "../queries/matches-when.ts";
import { actionOf } from "./at-action.ts";
import { respond } from "./respond.ts";
import { newSession } from "./session-changes.ts";
import type { Situation } from "./situation.ts";

/** When a text can bring a lesson: as a prompt, a command, the path of a file, or the output of a failed call. */
export type Occasion = "prompt" | "command" | "file" | "error";

/** A lesson that an agent would get. */
export interface Gift {
  readonly id: string;
  /** Whether the first call would be blocked. */
  readonly blocks: boolean;
}

/** The project, as the hooks see it. */
export type Scene = Pick<
  Situation,
  "project" | "mentions" | "read" | "report" | "readPolicy" | "holds" | "now"
>;

const KINDS: Readonly<Record<Occasion, EventKind>> = {
  prompt: "prompt",
  command: "before-command",
  file: "before-edit",
  error: "failure",
};

/** An agent that can take lessons at every event, and can be blocked. */
const AGENT: HookProtocol = {
  name: "sentinel-memory why",
  events: [],
  sent: () => false,
  read: () => undefined,
  addContext: (text) => ({ text }),
  hold: (reason) => ({ reason }),
  goOn: (reason) => ({ reason }),
};

/** The lessons that the text brings, in the order in which one event after the other would. */
export async function giftsAt(occasion: Occasion, text: string, scene: Scene): Promise<Gift[]> {
  const gifts: Gift[] = [];
  const { count } = await scene.read();
  let session = newSession(scene.now);
  // Each action brings one lesson. A prompt brings all of its lessons at once.
  for (let turn = 0; turn < (occasion === "prompt" ? 1 : count); turn++) {
    const {
      output,
      given,
      session: after,
    } = await respond({
      ...scene,
      event: eventAt(occasion, text),
      client: AGENT,
      file: text,
      logSpeaks: false,
      solved: [],
      failed: undefined,
      remind: false,
      session,
    });
    if (!given || !output) break;
    gifts.push(...given.ids.map((id) => ({ id, blocks: "reason" in output })));
    session = after;
  }
  return gifts;
}

/** The work that the hooks compare lessons with. @param moment the branch and the day. */
export function workAt(
  occasion: Occasion,
  text: string,
  moment: Pick<Parameters<typeof workOn>[0], "branch" | "now">,
): Work {
  const about =
    occasion === "prompt"
      ? { prompt: text }
      : actionOf(eventAt(occasion, text), text, false)?.about;
  return workOn({ ...moment, ...about });
}

function eventAt(occasion: Occasion, text: string): HookEvent {
  return {
    name: "why",
    kind: KINDS[occasion],
    session: "why",
    folder: undefined,
    prompt: occasion === "prompt" ? text : "",
    file: occasion === "file" ? text : "",
    command: occasion === "command" ? text : "",
    output: occasion === "error" ? text : "",
    childAgent: "",
    afterCompaction: false,
    causedByHook: false,
  };
}
