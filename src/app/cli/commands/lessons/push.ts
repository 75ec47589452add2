/** Gives a daemon the lessons that the team agreed on, for agents without a clone (docs/daemon.md, "Rules and lessons without a clone"). */
import { SentinelError } from "../../../../ground/core/errors.ts";
import { plural } from "../../../../ground/core/text.ts";
import { git, isBefore, linesOf } from "../../../../ground/project/git.ts";
import { defaultBranch, textAt } from "../../../../ground/project/git-history.ts";
import type { United } from "../../../../lessons/changes/unite.ts";
import { tellRefused } from "../../../../lessons/terminal/import-file.ts";
import { callDaemon, daemonUrl, mustHaveToken } from "../../../../sessions/remote/call-daemon.ts";
import { nothingAgreed } from "../../../digest/digest.ts";
import type { AddCommand, CommandContext } from "../../command.ts";

export const addPush: AddCommand = (lessons, open) => {
  lessons
    .command("push")
    .description("send the lessons of the default branch to a daemon")
    .requiredOption("--url <url>", "the daemon that takes the token in SENTINEL_TOKEN", daemonUrl)
    .option("--rewritten", "push even if the history lost the commit of the last push")
    .action(({ url, rewritten = false }) => push(open(), url, rewritten));
};

/** @param rewritten whether the commit of the last push may stand in no history any more. */
async function push(
  { project, env, terminal }: CommandContext,
  url: string,
  rewritten: boolean,
): Promise<void> {
  const { folder, context } = project;
  const daemon = { url, token: mustHaveToken(env.SENTINEL_TOKEN) };
  const branch = `${await defaultBranch(folder)}^{commit}`;
  const [commit] = linesOf((await git(folder, "rev-parse", "--verify", "--quiet", branch)).text);
  const lines = commit && (await textAt(context.memoryFile, commit));
  if (!commit || lines === undefined) throw nothingAgreed(folder);
  const last = await callDaemon<{ number: number; commit: string | null }>(
    daemon,
    "lessons/last",
    {},
  );
  if (last.commit !== null && !(await isBefore(folder, last.commit, commit)))
    if (!rewritten || (await isBefore(folder, commit, last.commit)))
      throw behind(last.commit, commit);
  const united = await callDaemon<United>(daemon, "lessons/push", {
    after: last.number,
    commit,
    lines,
  });
  const { added, updated, hidden, known, redacted, refused } = united;
  const counts = `${added} new, ${updated} newer, ${hidden} removed, ${known} unchanged`;
  terminal.print(`Pushed the default branch at ${short(commit)}: ${counts}.`);
  if (redacted > 0)
    terminal.print(`The daemon took something out of ${plural(redacted, "lesson")}.`);
  tellRefused(terminal, context.memoryFile, refused);
}

const behind = (last: string, commit: string): SentinelError =>
  new SentinelError(
    "stale_reference",
    `The last push was of ${short(last)}, which is not an ancestor of ${short(commit)} in this clone. Nothing was pushed.`,
    "git fetch (with --unshallow in a shallow clone), then push again. If the history was rewritten, add --rewritten.",
  );

const short = (commit: string): string => commit.slice(0, 8);
