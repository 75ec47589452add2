/** The daemon that keeps the session log: whether it can be reached and takes the token, and how much waits while it does not. */
import { askDaemon, mayPass } from "../../sessions/capture/ask-daemon.ts";
import { waitingIn, waitingInWords } from "../../sessions/capture/waiting.ts";
import type { FoundLog, ProjectLog } from "../../sessions/consent/find-log.ts";
import { type Diagnosis, ok } from "./diagnosis.ts";

export async function checkDaemon({ folder, manifest }: ProjectLog, found: FoundLog): Promise<Diagnosis[]> {
  const answer = await askDaemon(folder);
  if (!answer || !manifest.daemon) return [];
  const { url, channel } = manifest.daemon;
  const waiting = waitingInWords(await waitingIn(found));
  if ("owner" in answer)
    return [
      ok(`The daemon at ${url} takes what ${answer.owner} of ${answer.tenant} records as ${channel}; ${waiting}.`),
    ];
  const what = `Nothing reaches the daemon at ${url}, and ${waiting}: ${answer.what}`;
  return [{ status: mayPass(answer) ? "warning" : "broken", what, fix: answer.fix }];
}
