/** Commands of the role that owns a database. The command line imports only their types, so it loads neither a driver nor a statement. */
export { migrate } from "./migrate.ts";
export { createTenant, deleteTenant, listTenants, setRules, setTexts } from "./tenants.ts";
export { createToken, listTokens, readAudit, removePerson, revokeToken } from "./tokens.ts";
