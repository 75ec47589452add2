/**
 * The floor of appends: plain INSERTs of the rows that they made, into the same tables with the same indexes. There are no triggers on these,
 * and for a superuser no policies.
 */
import type pg from "pg";

const TABLES = ["events", "chunks"];
/** The most values of one statement. */
const MOST_VALUES = 65_535;
const COLUMNS = `select attname as name from pg_attribute
  where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`;

/** Rows of one table, as texts. */
interface Part {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** @param admin as a superuser, of a database with the schema and nothing else. */
export async function makePlain(admin: pg.Pool): Promise<void> {
  for (const table of TABLES) {
    await admin.query(`alter table sentinel.${table} disable trigger all`);
  }
}

/** What events are in the tables. @param admin of the database that has them, as a superuser. */
export async function rowsOf(admin: pg.Pool, keys: readonly string[]): Promise<Part[]> {
  const parts: Part[] = [];
  for (const table of TABLES) {
    const { rows: names } = await admin.query<{ name: string }>(COLUMNS, [`sentinel.${table}`]);
    const columns = names.map(({ name }) => name);
    const texts = columns.map((name) => `${name}::text`).join(", ");
    const text = `select ${texts} from sentinel.${table} where key = any ($1)`;
    const { rows } = await admin.query<unknown[]>({ text, values: [keys], rowMode: "array" });
    parts.push({ table, columns, rows });
  }
  return parts;
}

/** One transaction, a statement a table. */
export async function insertPlain(client: pg.PoolClient, parts: readonly Part[]): Promise<void> {
  await client.query("begin");
  for (const { table, columns, rows } of parts) {
    const most = Math.floor(MOST_VALUES / columns.length);
    for (let first = 0; first < rows.length; first += most) {
      const some = rows.slice(first, first + most);
      const values = some.map(
        (_, row) => `(${columns.map((_, at) => `$${row * columns.length + at + 1}`).join(", ")})`,
      );
      const sql = `insert into sentinel.${table} (${columns.join(", ")}) values ${values.join(", ")}`;
      await client.query(sql, some.flat());
    }
  }
  await client.query("commit");
}
