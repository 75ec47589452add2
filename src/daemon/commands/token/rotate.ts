import { callDaemon, mustHaveToken, ONCE } from "../../../sessions/remote/call-daemon.ts";
import type { rotateToken } from "../../postgres/tokens.ts";
import type { AddDaemonCommand } from "../../terminal/daemon-commands.ts";
import { WITH_DAEMON } from "../../terminal/database-option.ts";

export const addRotate: AddDaemonCommand = (token, _open, { env, terminal }) => {
  token
    .command("rotate")
    .description("replace the token in SENTINEL_TOKEN with a new one")
    .requiredOption(...WITH_DAEMON)
    .option("--overlap <hours>", "hours to keep your old token valid", "0")
    .action(async ({ url, overlap }: { readonly url: string; readonly overlap: string }) => {
      const body = { overlapHours: Number(overlap) };
      const daemon = { url, token: mustHaveToken(env.SENTINEL_TOKEN) };
      const made = await callDaemon<Awaited<ReturnType<typeof rotateToken>>>(
        daemon,
        "events/rotate-token",
        body,
        ONCE,
      );
      terminal.print(made.token);
      terminal.note(
        `It reads and records up to ${made.channel}, until ${made.expiresAt}, and is not shown again.`,
      );
    });
};
