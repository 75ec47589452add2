/** Actions of the role that owns a database. The command line imports only their types, so it doesn't load the driver. */
export { migrate } from "./postgres/migrate.ts";
export { createTenant, deleteTenant, listTenants, setRules, setTexts } from "./postgres/tenants.ts";
export {
  createToken,
  listTokens,
  readAudit,
  removePerson,
  revokeToken,
} from "./postgres/tokens.ts";
