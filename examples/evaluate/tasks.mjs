/**
 * Ten small repairs. Each has a trap: a rule of the project that the task does not mention and the file does not show. A hidden test knows both
 * whether the repair works and whether the trap was avoided; the lesson is what somebody would have logged after the first time.
 *
 * @typedef {object} Task
 * @property {string} id
 * @property {string} ask what the person asks for
 * @property {string} path of the file to repair
 * @property {string} text of that file
 * @property {{ topic: string, missing: string, lesson: string }} lesson
 * @property {string} works an expression over `module`: the repair does what was asked for
 * @property {string} trap an expression over `module`: the rule is kept
 */

/** @type {readonly Task[]} */
export const TASKS = [
  {
    id: "vat",
    ask: "src/vat.mjs: vat(net, rate) gives 0 for every amount. Make it return the tax on a net amount; rate is a share such as 0.19.",
    path: "src/vat.mjs",
    text: "export function vat(net, rate) {\n  return 0;\n}\n",
    lesson: {
      topic: "tax",
      missing: "How tax is rounded",
      lesson: "Amounts are whole cents: round tax down, as the tax office does",
    },
    works: "module.vat(1000, 0.19) === 190",
    trap: "module.vat(1005, 0.19) === 190",
  },
  {
    id: "customer-number",
    ask: "src/customer.mjs: parseCustomer(line) fails for the line '00042;Ann'. It has to return { number, name }.",
    path: "src/customer.mjs",
    text: "export function parseCustomer(line) {\n  throw new Error(line);\n}\n",
    lesson: {
      topic: "customers",
      missing: "The type of a customer's number",
      lesson: "A customer's number is a text; its leading zeros count",
    },
    works: "module.parseCustomer('7;Bo').name === 'Bo'",
    trap: "module.parseCustomer('00042;Ann').number === '00042'",
  },
  {
    id: "month",
    ask: "src/month.mjs: monthOf(date) throws. Return the number of the month of a date such as new Date('2026-03-05').",
    path: "src/month.mjs",
    text: "export function monthOf(date) {\n  throw new Error(String(date));\n}\n",
    lesson: { topic: "dates", missing: "How the reports count months", lesson: "Reports count months from 1, in UTC" },
    works: "typeof module.monthOf(new Date('2026-03-05')) === 'number'",
    trap: "module.monthOf(new Date('2026-03-05')) === 3",
  },
  {
    id: "timeout",
    ask: "src/timeout.mjs: timeoutOf(settings) ignores settings.timeout. Return it for fetchWithTimeout, or 10 seconds if there is none.",
    path: "src/timeout.mjs",
    text: "export function timeoutOf(settings) {\n  return undefined;\n}\n",
    lesson: {
      topic: "settings",
      missing: "The units of timeouts",
      lesson: "Settings have seconds, fetchWithTimeout wants milliseconds",
    },
    works: "module.timeoutOf({ timeout: 5 }) !== undefined",
    trap: "module.timeoutOf({ timeout: 5 }) === 5000 && module.timeoutOf({}) === 10000",
  },
  {
    id: "empty-list",
    ask: "src/csv.mjs: toCsv(rows) leaves out the rows. Return a line for each row, its cells joined with commas.",
    path: "src/csv.mjs",
    text: "export function toCsv(rows) {\n  return '';\n}\n",
    lesson: {
      topic: "export",
      missing: "How lines of an export end",
      lesson: "Every line of an export ends with CRLF, the last one too",
    },
    works: "module.toCsv([['a', 'b']]).startsWith('a,b')",
    trap: "module.toCsv([['a', 'b'], ['c', 'd']]) === 'a,b\\r\\nc,d\\r\\n'",
  },
  {
    id: "sort-names",
    ask: "src/names.mjs: sortNames(names) returns them as they come. Sort them by the alphabet, without changing the list it gets.",
    path: "src/names.mjs",
    text: "export function sortNames(names) {\n  return names;\n}\n",
    lesson: {
      topic: "names",
      missing: "Whose alphabet sorts names",
      lesson: "Sort names with localeCompare(…, 'sv'): the shop is Swedish, ö comes after z",
    },
    works: "module.sortNames(['b', 'a']).join() === 'a,b'",
    trap: "module.sortNames(['ö', 'z', 'a']).join() === 'a,z,ö'",
  },
  {
    id: "retry",
    ask: "src/retry.mjs: mayRetry({ method, status }) is always false. A request that got 503 may be tried again.",
    path: "src/retry.mjs",
    text: "export function mayRetry({ method, status }) {\n  return false;\n}\n",
    lesson: {
      topic: "requests",
      missing: "Which requests may be repeated",
      lesson: "Never repeat a POST: an order was once placed twice",
    },
    works:
      "module.mayRetry({ method: 'GET', status: 503 }) === true && module.mayRetry({ method: 'GET', status: 404 }) === false",
    trap: "module.mayRetry({ method: 'POST', status: 503 }) === false",
  },
  {
    id: "patch",
    ask: "src/patch.mjs: applyPatch(user, patch) returns the user unchanged. Return a new user with the fields of the patch.",
    path: "src/patch.mjs",
    text: "export function applyPatch(user, patch) {\n  return user;\n}\n",
    lesson: { topic: "users", missing: "What null in a patch means", lesson: "null in a patch removes the field" },
    works: "module.applyPatch({ a: 1 }, { b: 2 }).b === 2",
    trap: "!('a' in module.applyPatch({ a: 1 }, { a: null }))",
  },
  {
    id: "slug",
    ask: "src/slug.mjs: slugOf(title) returns the title. Return it in lower case with hyphens for spaces.",
    path: "src/slug.mjs",
    text: "export function slugOf(title) {\n  return title;\n}\n",
    lesson: {
      topic: "pages",
      missing: "How long an address may be",
      lesson: "The router takes slugs of 20 characters at most",
    },
    works: "module.slugOf('Two Words') === 'two-words'",
    trap: "module.slugOf('a title that is quite a bit longer').length <= 20",
  },
  {
    id: "total",
    ask: "src/total.mjs: total(lines) is NaN. Return the sum of price times quantity of the lines.",
    path: "src/total.mjs",
    text: "export function total(lines) {\n  return Number.NaN;\n}\n",
    lesson: {
      topic: "orders",
      missing: "Which lines of an order count",
      lesson: "A line with cancelled: true does not count",
    },
    works: "module.total([{ price: 2, quantity: 3 }]) === 6",
    trap: "module.total([{ price: 2, quantity: 3 }, { price: 5, quantity: 1, cancelled: true }]) === 6",
  },
];
