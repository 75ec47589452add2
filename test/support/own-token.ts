/** Makes tokens without the operator's commands, which have tests of their own. */
import type pg from "pg";
import type { TokenOptions } from "../../src/daemon/http/caller.ts";
import { createToken } from "../../src/daemon/postgres/tokens.ts";

const MADE_OWN = "update sentinel.tokens set own = true where id = $1";

/** Makes a token with all rights of its person. */
export async function ownToken(
  owner: pg.Pool,
  tenant: string,
  person: string,
  more: Partial<TokenOptions> = {},
): Promise<string> {
  const token = await createToken(owner, {
    tenant,
    owner: person,
    channel: "private",
    scope: "write",
    ...more,
  });
  await makeOwn(owner, token);
  return token;
}

/** Marks a token as its person's own, as `daemon token rotate` does. */
export async function makeOwn(owner: pg.Pool, token: string): Promise<void> {
  await owner.query(MADE_OWN, [token.split("_")[1]]);
}
