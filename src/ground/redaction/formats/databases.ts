/** Token formats: databases and data. */
import type { Row } from "./row.ts";

export const DATABASES: readonly Row[] = [
  ["planetscale-secret", "pscale_(tkn|pw|oauth)_{t:30+}", "PlanetScale"],
  ["neon-key", "napi_{w:40+}", "Neon"],
  ["supabase-token", "sbp_{w:36+}", "Supabase"],
  ["supabase-key", "sb_secret_{v:24+}", "Supabase"],
  ["databricks-token", "dapi{x:32}", "Databricks"],
  ["databricks-token", "dkea{x:32}", "Databricks"],
  ["databricks-token", "dose{x:32}", "Databricks"],
  ["databento-key", "db-{w:26+}", "Databento"],
  ["clickhouse-key", "4b1d{w:38}", "ClickHouse Cloud"],
  ["cockroach-key", "CCDB1_{w:20+}_{w:38+}", "CockroachDB Cloud"],
  ["astra-token", "AstraCS:{w:20+}", "DataStax Astra"],
  ["astra-token", "AstraCS:{w:24}:{x:60+}", "DataStax Astra"],
  ["elastic-key", "essu_{p:40+}", "Elastic Cloud"],
  ["mongodb-service-secret", "mdb_sa_sk_{v:36+}", "MongoDB Atlas"],
  ["upstash-qstash-signing-key", "sig_{w:26+}", "Upstash"],
  ["xata-key", "xau_{w:36+}", "Xata"],
  ["fauna-key", "fn(AE|AF){v:36+}", "Fauna"],
  ["dbt-token", "dbt(c|u|s)_{v:30+}", "dbt Cloud"],
  ["segment-token", "sgp_{w:60+}", "Segment"],
  ["influxdb-token", "apiv3_{v:60+}", "InfluxDB"],
  ["confluent-secret", "cflt{b:58+}", "Confluent Cloud"],
  ["airtable-token", "pat{w:14}.{x:60+}", "Airtable"],
  ["airtable-oauth-token", "{w:16+}.v1.{v:8+}.{x:20+}", "Airtable"],
  ["pinecone-key", "pcsk_{w:5-6}_{w:58+}", "Pinecone"],
];
