/** What the catalogue of a database says of our schema, so that no list in a test forgets a table. */
import type pg from "pg";

const TABLES = `select relname as name, has_table_privilege(oid, 'select') as "isRead" from pg_class
  where relnamespace = 'sentinel'::regnamespace and relkind = 'r' order by 1`;

/** The tables that the role of the pool may read, but for the version of the schema, which is nobody's. */
export async function recordTablesOf(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string; isRead: boolean }>(TABLES);
  return rows.flatMap(({ name, isRead }) => (isRead && name !== "schema_version" ? [name] : []));
}
