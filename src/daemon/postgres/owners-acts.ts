/** Acts of the role that owns a database. Commands know the types alone: neither a driver nor a statement is loaded with them. */
export { migrate } from "./migrate.ts";
export { addPerson, listPersons, readAudit, removePerson } from "./persons.ts";
export { createTenant, deleteTenant, listTenants, setRules, setTexts } from "./tenants.ts";
export { createToken, listTokens, revokeToken } from "./tokens.ts";
