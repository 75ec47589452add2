/** What the benches do to a database as no product does: other tenants at once, sizes. */
import type pg from "pg";
import type { Row } from "../support/table.ts";

const OTHERS = 20;
/** Of the chunks of the tenant that is measured, each of the others has so many. */
const SHARE = 20;

/** Copies the newest events of a tenant to others, with other terms; then it looks at what is there, as a server does by itself. */
export async function fillOthers(admin: pg.Pool, tenant: string): Promise<void> {
  const tables = ["events", "chunks"];
  await admin.query(
    `create temp table newest as select ts, key from sentinel.events where tenant = $1
     order by ts desc limit (select count(*) / ${SHARE} from sentinel.events where tenant = $1)`,
    [tenant],
  );
  for (let other = 1; other <= OTHERS; other++) {
    for (const table of tables) {
      const { rows } = await admin.query<{ name: string }>(
        `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and attgenerated = ''
         and attname <> 'tenant'`,
        [`sentinel.${table}`],
      );
      const names = rows.map(({ name }) => name);
      const changed = names.map((name) =>
        name === "terms"
          ? `array_to_tsvector(array(select term || '${other}' from unnest(tsvector_to_array(terms)) as term))`
          : name,
      );
      await admin.query(
        `insert into sentinel.${table} (tenant, ${names.join(", ")})
         select 'other ${other}', ${changed.join(", ")} from sentinel.${table} join newest using (ts, key) where tenant = $1`,
        [tenant],
      );
    }
  }
  await admin.query("vacuum analyze");
}

/** Of all tables together, by event. */
export async function sizesOf(admin: pg.Pool): Promise<Row> {
  const { rows } = await admin.query<{
    events: number;
    tables: number;
    terms: number;
    indexes: number;
    content: number;
  }>(
    `select (select count(*) from sentinel.events)::int as events,
       sum(pg_table_size(c.oid))::float8 as tables, sum(pg_indexes_size(c.oid))::float8 as indexes,
       (select sum(pg_relation_size(indexrelid)) from pg_index join pg_class i on i.oid = indexrelid
         where indrelid = 'sentinel.chunks'::regclass and i.relam = (select oid from pg_am where amname = 'gin'))::float8 as terms,
       (select sum(octet_length((event -> 'content')::text)) from sentinel.events)::float8 as content
     from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'sentinel' and c.relkind = 'r'`,
  );
  const { events = 1, tables = 0, indexes = 0, terms = 0, content = 0 } = rows[0] ?? {};
  const each = (bytes: number) => Math.round(bytes / events);
  return {
    events,
    content: each(content),
    "in tables": each(tables),
    "in indexes": each(indexes),
    "of these, of terms": each(terms),
  };
}
