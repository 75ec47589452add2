/** Who may do what in the database, as its catalogue says: a table, a function or a right that nobody thought of fails here. */
import type pg from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { groupBy } from "../../src/ground/core/collections.ts";
import { testPool } from "../support/postgres.ts";
import { onEachPostgres } from "../support/postgres-18.ts";
import { migratedDatabase } from "../support/postgres-server.ts";

/** Rows that a person recorded: under the policies. */
const RECORD = ["artifacts", "chunk_totals", "chunks", "events", "purged"];
/** Functions for the daemon with the rights of `sentinel_functions`. */
const WRITERS = ["append_events", "expire_artifacts", "expire_events", "purge_events"];
/** Functions about tokens and tenants. */
const TOKENS = ["audit_for", "expire_some", "find_token", "rotate_token", "shared_texts"];
/** Functions for the owner of the schema alone. */
const DELETING = ["delete_tenant", "remove_person"];
const SEARCHES = ["search_chunks"];
const TRIGGERS = ["count_chunks"];
/** Functions with the rights and the policies of their caller. */
const READERS = ["audit_token", "chunks_named"];
/** Functions of their arguments alone. */
const RULES = ["may_read", "reading", "session_hash", "depth", "write_lock", "reach", "is_valid"];

/** All rights that somebody has who does not own the thing. */
const GRANTS = {
  owner: DELETING.map((name) => `function ${name}: execute`),
  sentinel_app: [
    "schema sentinel: usage",
    ...[...RECORD, "schema_version"].map((name) => `table ${name}: select`),
    ...[...WRITERS, ...SEARCHES, ...TOKENS, "chunks_named"].map(
      (name) => `function ${name}: execute`,
    ),
    ...["may_read", "reading", "depth", "write_lock"].map((name) => `function ${name}: execute`),
  ],
  sentinel_functions: [
    "schema sentinel: usage",
    ...[...RECORD, "tokens"].map((name) => `table ${name}: delete, insert, select, update`),
    "table audit: insert, select",
    "table tenants: delete, select",
    "sequence append_order: usage",
    ...RULES.map((name) => `function ${name}: execute`),
  ],
};

/** Of each thing of the schema who may do what with it, `sentinel.` left out; what PostgreSQL grants by itself is there, too. */
const RIGHTS = `with things (kind, name, owner, rights) as (
    select 'schema', nspname, nspowner, coalesce(nspacl, acldefault('n', nspowner)) from pg_namespace where nspname = 'sentinel'
    union all
    select case relkind when 'S' then 'sequence' else 'table' end, relname, relowner,
      coalesce(relacl, acldefault(case relkind when 'S' then 's'::"char" else 'r' end, relowner))
    from pg_class where relnamespace = 'sentinel'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
    union all
    select 'column', relname || '.' || attname, relowner, attacl from pg_attribute join pg_class c on c.oid = attrelid
    where relnamespace = 'sentinel'::regnamespace and attacl is not null
    union all
    select 'function', proname, proowner, coalesce(proacl, acldefault('f', proowner))
    from pg_proc where pronamespace = 'sentinel'::regnamespace
  )
  select case grantee when 0 then 'public' else grantee::regrole::text end as role,
    kind || ' ' || name || ': ' || string_agg(lower(privilege_type) || case when is_grantable then ' and may pass it on' else '' end,
      ', ' order by privilege_type) as right
  from things, aclexplode(rights) where grantee <> owner group by grantee, kind, name`;

const INDEXES = `select t.relname as table, i.relname as index, x.indisprimary as "isPrimary", m.amname as method,
    coalesce(a.attname, '') as first
  from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid join pg_am m on m.oid = i.relam
    left join pg_attribute a on a.attrelid = t.oid and a.attnum = x.indkey[0]
  where t.relnamespace = 'sentinel'::regnamespace order by 1, 2`;

/** Those that need not, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  tenants_pkey: "the name of a tenant is its first and only column",
  tokens_pkey:
    "a token is looked up before anybody knows whose it is: a small table, the same on each server",
  chunks_terms_idx: "a term is a hash made with its tenant, so none is of two",
  events_artifacts_idx:
    "a list cannot share its index with another column; who reads it names the tenant beside it",
};

interface Index {
  readonly table: string;
  readonly index: string;
  readonly isPrimary: boolean;
  readonly method: string;
  readonly first: string;
}

onEachPostgres((postgres) => {
  let database = "";
  beforeAll(async () => {
    database = await migratedDatabase(postgres());
  });

  async function rowsOf<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
    return (await testPool(postgres(), "admin", database).query<Row>(sql)).rows;
  }

  describe("the rights in the schema", () => {
    it("are these and no others; what everybody may do is nothing", async () => {
      const found = await rowsOf<{ role: string; right: string }>(RIGHTS);
      const granted = [...groupBy(found, ({ role }) => role)].map(([role, rights]) => [
        role,
        rights.map(({ right }) => right).sort(),
      ]);
      const known = Object.entries(GRANTS).map(([role, rights]) => [role, [...rights].sort()]);
      expect(Object.fromEntries(granted)).toEqual(Object.fromEntries(known));
      expect(await rowsOf("select from pg_default_acl")).toEqual([]);
    });

    it("are of roles that nobody logs in as, that have no power of their own, and that belong to no other", async () => {
      const none = { rolsuper: false, rolinherit: true, rolcreaterole: false, rolcreatedb: false };
      const roles = await rowsOf(
        `select rolname, rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication, rolbypassrls
         from pg_roles where rolname like 'sentinel%' order by 1`,
      );
      expect(roles).toEqual(
        ["sentinel_app", "sentinel_functions"].map((rolname) => {
          return {
            rolname,
            ...none,
            rolcanlogin: false,
            rolreplication: false,
            rolbypassrls: false,
          };
        }),
      );
      expect(
        await rowsOf(
          "select roleid::regrole from pg_auth_members where member::regrole::text like 'sentinel%'",
        ),
      ).toEqual([]);
      // Not even who made the functions can become them, or has their rights.
      const may = "select pg_has_role('owner', 'sentinel_functions', 'usage') as may";
      expect(await rowsOf(may)).toEqual([{ may: false }]);
    });

    it("are of functions whose owner and kind are known, and that look for names in the schema alone", async () => {
      const functions = await rowsOf<{
        name: string;
        owner: string;
        definer: boolean;
        path: string | null;
      }>(
        `select proname as name, proowner::regrole::text as owner, prosecdef as definer,
           (select setting from unnest(proconfig) as setting where setting like 'search_path=%') as path
         from pg_proc where pronamespace = 'sentinel'::regnamespace order by 1`,
      );
      const known = (
        names: readonly string[],
        owner: string,
        definer: boolean,
        path: string | null,
      ) => names.map((name) => ({ name, owner, definer, path }));
      const path = "search_path=sentinel, pg_temp";
      expect(functions).toEqual(
        [
          ...known([...WRITERS, ...SEARCHES, ...TRIGGERS], "sentinel_functions", true, path),
          ...known([...DELETING, ...TOKENS, "is_foreign"], "sentinel_functions", true, path),
          ...known(READERS, "owner", false, path),
          // What these name was looked up when they were made.
          ...known(["is_needed"], "sentinel_functions", false, null),
          ...known(RULES, "owner", false, null),
        ].sort((a, b) => (a.name < b.name ? -1 : 1)),
      );
    });
  });

  describe("the policies", () => {
    it("hold for every table of the session log, for its owner too", async () => {
      const tables = await rowsOf<{
        name: string;
        holds: boolean;
        forced: boolean;
        owner: string;
      }>(
        `select relname as name, relrowsecurity as holds, relforcerowsecurity as forced, relowner::regrole::text as owner
         from pg_class where relnamespace = 'sentinel'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f') order by 1`,
      );
      expect(tables).toEqual(
        [...RECORD, "audit", "schema_version", "tenants", "tokens"].sort().map((name) => {
          const holds = RECORD.includes(name);
          return { name, holds, forced: holds, owner: "owner" };
        }),
      );
    });

    it("are one for who reads, one for the functions, and one for the export of a person whose tokens ended", async () => {
      const policies = await rowsOf<{ rule: string; condition: string; adding: string | null }>(
        `select concat_ws(' ', tablename, policyname, permissive, cmd, array_to_string(roles, ',')) as rule,
           qual as condition, with_check as adding
         from pg_policies where schemaname = 'sentinel'`,
      );
      expect(policies.map(({ rule }) => rule).sort()).toEqual(
        [
          ...RECORD.map((name) => `${name} readers PERMISSIVE SELECT sentinel_app`),
          ...["artifacts", "events"].map((name) => `${name} leaving PERMISSIVE SELECT owner`),
          ...RECORD.map((name) => `${name} functions PERMISSIVE ALL sentinel_functions`),
        ].sort(),
      );
      const ofReaders = policies.filter(({ rule }) => rule.includes(" readers "));
      const words = (text: string) => text.replaceAll(/\s+/g, " ");
      expect([
        ...new Set(ofReaders.map(({ condition, adding }) => `${words(condition)} ${adding}`)),
      ]).toEqual([
        expect.stringMatching(
          /^\(\(tenant = \( SELECT sentinel\.reading\('tenant'::text\).*\) AND sentinel\.may_read\(owner, \(?channel\)?(?:::text)?, \( SELECT sentinel\.reading\('owner'::text\).*\), \( SELECT sentinel\.reading\('channel'::text\).*\)\)\) null$/,
        ),
      ]);
      const ofFunctions = policies.filter(({ rule }) => rule.includes(" functions "));
      expect([
        ...new Set(ofFunctions.map(({ condition, adding }) => `${condition} ${adding}`)),
      ]).toEqual(["true true"]);
    });
  });

  describe("every key and every index", () => {
    it("begins with the tenant, so that a distributed PostgreSQL can put whole tenants on a server each, but for those that are named with a reason", async () => {
      const rows = await rowsOf<Index>(INDEXES);
      const others = rows.filter(({ first }) => first !== "tenant");
      expect(others.map(({ index }) => index).sort()).toEqual(Object.keys(EXCEPTIONS).sort());
      const withKey = rows
        .filter(({ isPrimary, first }) => isPrimary && first === "tenant")
        .map(({ table }) => table);
      expect(withKey).toEqual(RECORD);
    });

    it("is found where it begins with something else", async () => {
      const owner = testPool(postgres(), "owner", await migratedDatabase(postgres()));
      await owner.query("create index late on sentinel.events (ts)");
      const { rows } = await owner.query<Index>(INDEXES);
      expect(rows).toContainEqual(expect.objectContaining({ index: "late", first: "ts" }));
    });
  });
});
