/**
 * Ten small repairs. Each has a trap: a rule of the project that neither the request nor the file
 * shows. A hidden test checks whether the repair works and whether it avoids the trap. The lesson is
 * what an agent would have logged after falling for it once. The sibling is another repair with the
 * same trap, for the arm `own`.
 *
 * @typedef {object} Repair
 * @property {string} ask the user's request
 * @property {string} path the file to repair
 * @property {string} text the file's content
 * @property {string} works an expression over `module`: the repair does what the user asked for
 * @property {string} trap an expression over `module`: the repair follows the rule
 *
 * @typedef {Repair & {
 *   id: string,
 *   lesson: { topic: string, missing: string, lesson: string },
 *   complaint: string,
 *   sibling: Repair,
 * }} Task `complaint` is the failing check in the user's words
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
    complaint:
      "The tax office rejected our report: for 1005 cents at 0.19 your code gives 191, and it has to be 190. We always round tax down.",
    sibling: {
      ask: "src/refund-tax.mjs: refundTax(gross, rate) gives 0. Return the tax contained in a gross amount; rate is a share such as 0.19.",
      path: "src/refund-tax.mjs",
      text: "export function refundTax(gross, rate) {\n  return 0;\n}\n",
      works: "Math.abs(module.refundTax(1190, 0.19) - 190) <= 1",
      trap: "module.refundTax(1006, 0.19) === 160",
    },
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
    complaint:
      "Customer 00042 can't log in anymore: parseCustomer made the number 42 of it. The zeros at the front belong to the number.",
    sibling: {
      ask: "src/order-line.mjs: parseOrder(line) fails for the line '00042;3'. It has to return { customer, items }: the customer's number, and how many items as a number.",
      path: "src/order-line.mjs",
      text: "export function parseOrder(line) {\n  throw new Error(line);\n}\n",
      works: "module.parseOrder('7;3').items === 3",
      trap: "module.parseOrder('00042;3').customer === '00042'",
    },
  },
  {
    id: "month",
    ask: "src/month.mjs: monthOf(date) throws. Return the number of the month of a date such as new Date('2026-03-05').",
    path: "src/month.mjs",
    text: "export function monthOf(date) {\n  throw new Error(String(date));\n}\n",
    lesson: {
      topic: "dates",
      missing: "How the reports count months",
      lesson: "Reports count months from 1, in UTC",
    },
    works: "typeof module.monthOf(new Date('2026-03-05')) === 'number'",
    trap: "module.monthOf(new Date('2026-03-05')) === 3",
    complaint:
      "The March report shows February's figures. monthOf has to give 3 for March, in UTC: our reports count from 1.",
    sibling: {
      ask: "src/month-range.mjs: monthsBetween(from, to) returns an empty list. Return the months of the reports from the date `from` to the date `to` of the same year, as numbers.",
      path: "src/month-range.mjs",
      text: "export function monthsBetween(from, to) {\n  return [];\n}\n",
      works: "module.monthsBetween(new Date('2026-03-05'), new Date('2026-05-05')).length === 3",
      trap: "module.monthsBetween(new Date('2026-03-05'), new Date('2026-05-05')).join() === '3,4,5'",
    },
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
    complaint:
      "Every request is aborted after a few milliseconds. Our settings are in seconds, and fetchWithTimeout wants milliseconds.",
    sibling: {
      ask: "src/pause.mjs: pauseOf(settings) ignores settings.pause. Return it for fetchWithTimeout, which waits that long before it tries again, or 2 seconds if there is none.",
      path: "src/pause.mjs",
      text: "export function pauseOf(settings) {\n  return undefined;\n}\n",
      works: "module.pauseOf({ pause: 5 }) !== undefined",
      trap: "module.pauseOf({ pause: 5 }) === 5000 && module.pauseOf({}) === 2000",
    },
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
    complaint:
      "The bank refuses our file. Each line of an export has to end with CRLF, the last one as well.",
    sibling: {
      ask: "src/totals-export.mjs: exportTotals(totals) is empty. Return a line for each [name, amount], with a semicolon between the two.",
      path: "src/totals-export.mjs",
      text: "export function exportTotals(totals) {\n  return '';\n}\n",
      works: "module.exportTotals([['a', 1]]).startsWith('a;1')",
      trap: "module.exportTotals([['a', 1], ['b', 2]]) === 'a;1\\r\\nb;2\\r\\n'",
    },
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
    complaint:
      "Customers complain that Örjan comes before Zoe. The shop is Swedish: ö comes after z.",
    sibling: {
      ask: "src/cities.mjs: lastCity(cities) returns undefined. Return the city that comes last in the alphabet, without changing the list.",
      path: "src/cities.mjs",
      text: "export function lastCity(cities) {\n  return undefined;\n}\n",
      works: "module.lastCity(['Borås', 'Arboga']) === 'Borås'",
      trap: "module.lastCity(['Örebro', 'Visby', 'Zinkgruvan']) === 'Örebro'",
    },
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
    complaint:
      "A customer was charged twice: your code repeated a POST after a 503. Never repeat a POST.",
    sibling: {
      ask: "src/resend.mjs: resendable(requests) is always empty. Return those requests ({ method, status }) that got 503 and may be sent again.",
      path: "src/resend.mjs",
      text: "export function resendable(requests) {\n  return [];\n}\n",
      works:
        "module.resendable([{ method: 'GET', status: 503 }, { method: 'GET', status: 404 }]).length === 1",
      trap: "module.resendable([{ method: 'POST', status: 503 }]).length === 0",
    },
  },
  {
    id: "patch",
    ask: "src/patch.mjs: applyPatch(user, patch) returns the user unchanged. Return a new user with the fields of the patch.",
    path: "src/patch.mjs",
    text: "export function applyPatch(user, patch) {\n  return user;\n}\n",
    lesson: {
      topic: "users",
      missing: "What null in a patch means",
      lesson: "null in a patch removes the field",
    },
    works: "module.applyPatch({ a: 1 }, { b: 2 }).b === 2",
    trap: "!('a' in module.applyPatch({ a: 1 }, { a: null }))",
    complaint:
      "I set my phone number to null to delete it, and now my profile shows the word null. With us null removes the field.",
    sibling: {
      ask: "src/settings-patch.mjs: mergeSettings(settings, patch) throws. Return new settings with the fields of the patch.",
      path: "src/settings-patch.mjs",
      text: "export function mergeSettings(settings, patch) {\n  throw new Error('not written yet');\n}\n",
      works: "module.mergeSettings({ a: 1 }, { b: 2 }).b === 2",
      trap: "!('a' in module.mergeSettings({ a: 1 }, { a: null }))",
    },
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
    complaint:
      "The new page can't be opened. The router takes addresses of at most 20 characters, and yours has 36.",
    sibling: {
      ask: "src/tag-address.mjs: addressOf(tag) returns the tag. Return it in lower case, with hyphens for spaces: it becomes the address of the tag's page.",
      path: "src/tag-address.mjs",
      text: "export function addressOf(tag) {\n  return tag;\n}\n",
      works: "module.addressOf('Two Words') === 'two-words'",
      trap: "module.addressOf('a tag that is quite a bit longer').length <= 20",
    },
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
    complaint:
      "My order shows a total of 11, but I cancelled the second line. Cancelled lines don't count.",
    sibling: {
      ask: "src/item-count.mjs: itemCount(lines) is 0. Return the sum of the quantities of the order's lines.",
      path: "src/item-count.mjs",
      text: "export function itemCount(lines) {\n  return 0;\n}\n",
      works: "module.itemCount([{ quantity: 3 }, { quantity: 2 }]) === 5",
      trap: "module.itemCount([{ quantity: 3 }, { quantity: 1, cancelled: true }]) === 3",
    },
  },
];
