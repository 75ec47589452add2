/**
 * A scripted model for `examples/evaluate/`. It makes the obvious repair, or the right one if it has
 * read the rule. It searches and logs if its instructions offer that.
 */

const REPAIRS = {
  "src/vat.mjs": [
    "vat",
    "(net, rate) => Math.round(net * rate)",
    "round tax down",
    "(net, rate) => Math.floor(net * rate)",
  ],
  "src/customer.mjs": [
    "parseCustomer",
    "(line) => ({ number: Number.parseInt(line, 10), name: line.split(';')[1] })",
    "leading zeros count",
    "(line) => ({ number: line.split(';')[0], name: line.split(';')[1] })",
  ],
  "src/month.mjs": [
    "monthOf",
    "(date) => date.getMonth()",
    "count months from 1",
    "(date) => date.getUTCMonth() + 1",
  ],
  "src/timeout.mjs": [
    "timeoutOf",
    "({ timeout = 10 }) => timeout",
    "wants milliseconds",
    "({ timeout = 10 }) => timeout * 1000",
  ],
  "src/csv.mjs": [
    "toCsv",
    "(rows) => rows.map((row) => row.join(',')).join('\\n')",
    "ends with CRLF",
    "(rows) => rows.map((row) => row.join(',') + '\\r\\n').join('')",
  ],
  "src/names.mjs": [
    "sortNames",
    "(names) => [...names].sort((a, b) => a.localeCompare(b, 'en'))",
    "the shop is Swedish",
    "(names) => [...names].sort((a, b) => a.localeCompare(b, 'sv'))",
  ],
  "src/retry.mjs": [
    "mayRetry",
    "({ status }) => status === 503",
    "Never repeat a POST",
    "({ method, status }) => status === 503 && method !== 'POST'",
  ],
  "src/patch.mjs": [
    "applyPatch",
    "(user, patch) => ({ ...user, ...patch })",
    "null in a patch removes",
    "(user, patch) => Object.fromEntries(Object.entries({ ...user, ...patch }).filter(([, value]) => value !== null))",
  ],
  "src/slug.mjs": [
    "slugOf",
    "(title) => title.toLowerCase().replaceAll(' ', '-')",
    "20 characters at most",
    "(title) => title.toLowerCase().replaceAll(' ', '-').slice(0, 20)",
  ],
  "src/total.mjs": [
    "total",
    "(lines) => lines.reduce((sum, line) => sum + line.price * line.quantity, 0)",
    "cancelled: true does not count",
    "(lines) => lines.filter((line) => !line.cancelled).reduce((sum, line) => sum + line.price * line.quantity, 0)",
  ],
  "src/refund-tax.mjs": [
    "refundTax",
    "(gross, rate) => Math.round(gross - gross / (1 + rate))",
    "round tax down",
    "(gross, rate) => Math.floor(gross - gross / (1 + rate) + 1e-9)",
  ],
  "src/order-line.mjs": [
    "parseOrder",
    "(line) => ({ customer: Number.parseInt(line, 10), items: Number(line.split(';')[1]) })",
    "leading zeros count",
    "(line) => ({ customer: line.split(';')[0], items: Number(line.split(';')[1]) })",
  ],
  "src/month-range.mjs": [
    "monthsBetween",
    "(from, to) => Array.from({ length: to.getMonth() - from.getMonth() + 1 }, (_, at) => from.getMonth() + at)",
    "count months from 1",
    "(from, to) => Array.from({ length: to.getUTCMonth() - from.getUTCMonth() + 1 }, (_, at) => from.getUTCMonth() + 1 + at)",
  ],
  "src/pause.mjs": [
    "pauseOf",
    "({ pause = 2 }) => pause",
    "wants milliseconds",
    "({ pause = 2 }) => pause * 1000",
  ],
  "src/totals-export.mjs": [
    "exportTotals",
    "(totals) => totals.map((row) => row.join(';')).join('\\n')",
    "ends with CRLF",
    "(totals) => totals.map((row) => row.join(';') + '\\r\\n').join('')",
  ],
  "src/cities.mjs": [
    "lastCity",
    "(cities) => [...cities].sort((a, b) => a.localeCompare(b, 'en')).at(-1)",
    "the shop is Swedish",
    "(cities) => [...cities].sort((a, b) => a.localeCompare(b, 'sv')).at(-1)",
  ],
  "src/resend.mjs": [
    "resendable",
    "(requests) => requests.filter(({ status }) => status === 503)",
    "Never repeat a POST",
    "(requests) => requests.filter(({ method, status }) => status === 503 && method !== 'POST')",
  ],
  "src/settings-patch.mjs": [
    "mergeSettings",
    "(settings, patch) => ({ ...settings, ...patch })",
    "null in a patch removes",
    "(settings, patch) => Object.fromEntries(Object.entries({ ...settings, ...patch }).filter(([, value]) => value !== null))",
  ],
  "src/tag-address.mjs": [
    "addressOf",
    "(tag) => tag.toLowerCase().replaceAll(' ', '-')",
    "20 characters at most",
    "(tag) => tag.toLowerCase().replaceAll(' ', '-').slice(0, 20)",
  ],
  "src/item-count.mjs": [
    "itemCount",
    "(lines) => lines.reduce((sum, line) => sum + line.quantity, 0)",
    "cancelled: true does not count",
    "(lines) => lines.filter((line) => !line.cancelled).reduce((sum, line) => sum + line.quantity, 0)",
  ],
};

export async function model({ messages }) {
  const contents = messages.map(({ content }) => content);
  const instructions = contents[0];
  const request = instructions.split("\n").at(-1);
  const path = request.slice(0, request.indexOf(":"));
  const [name, obvious, rule, right] = REPAIRS[path];
  const moves = messages
    .filter(({ role }) => role === "assistant")
    .map((one) => JSON.parse(one.content));
  const has = (move) => moves.some((one) => move in one);

  const heardComplaint = has("answer") && messages.at(-1).role === "user";
  if (heardComplaint && instructions.includes('"log"') && !has("log")) {
    return { log: { topic: "shop", missing_context: `The rule of ${path}`, lesson: rule } };
  }
  if (heardComplaint) {
    return { answer: "Repaired." };
  }
  if (instructions.includes('"search"') && !has("search")) {
    return { search: `${path} ${rule}` };
  }
  const knowsRule = contents.some((content) => content.includes(rule));
  const text = `export const ${name} = ${knowsRule ? right : obvious};\n`;
  const isWritten = moves.some((move) => move.text === text);
  return isWritten ? { answer: "Repaired." } : { write: path, text };
}
