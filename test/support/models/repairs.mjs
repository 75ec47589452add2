/** A scripted model for `examples/evaluate/`: it repairs a file as one does who knows no more, and again where a lesson that it read says otherwise. */

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
  "src/month.mjs": ["monthOf", "(date) => date.getMonth()", "count months from 1", "(date) => date.getUTCMonth() + 1"],
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
};

export async function model({ messages }) {
  const said = messages.map(({ content }) => content);
  const ask = said[0].split("\n").at(-1);
  const path = ask.slice(0, ask.indexOf(":"));
  const [name, naive, rule, better] = REPAIRS[path];
  const text = `export const ${name} = ${said.some((part) => part.includes(rule)) ? better : naive};\n`;
  const isWritten = said.includes(JSON.stringify({ write: path, text }));
  return isWritten ? { answer: "Repaired." } : { write: path, text };
}
