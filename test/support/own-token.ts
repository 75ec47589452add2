/** Tokens of persons, made by the acts of a database's owner: the commands for them have tests of their own. */
import type pg from "pg";
import type { TokenOptions } from "../../src/daemon/http/caller.ts";
import { addPerson } from "../../src/daemon/postgres/persons.ts";
import { createToken } from "../../src/daemon/postgres/tokens.ts";

const MADE_OWN = "update sentinel.tokens set own = true where id = $1";

/** A token for all that a person may do; the person is added where they are missing. */
export async function ownToken(
  owner: pg.Pool,
  tenant: string,
  person: string,
  more: Partial<TokenOptions> = {},
): Promise<string> {
  await addPerson(owner, tenant, person);
  const token = await createToken(owner, { tenant, owner: person, channel: "private", scope: "write", ...more });
  await makeOwn(owner, token);
  return token;
}

/** Makes a token its person's own, as if this person had made it of the operator's. */
export async function makeOwn(owner: pg.Pool, token: string): Promise<void> {
  await owner.query(MADE_OWN, [token.split("_")[1]]);
}
