import { expect, it } from "vitest";
import { databaseError } from "./database-error.ts";

it.each([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "CERT_HAS_EXPIRED",
  "ERR_TLS_CERT_ALTNAME_INVALID",
])("a certificate that is not trusted (%s) is an error with its fix", (code) => {
  const error = Object.assign(new Error("certificate"), { code });
  expect(databaseError(error, "read_failed", "Reading")).toMatchObject({
    code: "database_unreachable",
    message: "Reading: the certificate of the database is not trusted.",
    fix: expect.stringContaining("sslrootcert=FILE"),
  });
});
