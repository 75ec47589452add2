/** The ways to join a value to the name of a credential, tried in this order. */

/**
 * How firmly a value belongs to a name. The firmer, the less it needs to look like a secret. `literal` marks places without
 * code (`DB_PASSWORD=…`), `beside` a value that only follows the name.
 */
export type Tie = "literal" | "assigned" | "stated" | "beside";

export interface Connector {
  readonly tie: Tie;
  /** Sticky. Begins after the name and ends before the value. */
  readonly pattern: RegExp;
}

export const CONNECTORS: readonly Connector[] = [
  // = : := => == != -> in code, JSON, YAML, shell, headers and query strings, also with a type, an index or
  // the end of Markdown emphasis in between
  {
    tie: "assigned",
    pattern:
      /\\?["'`*\])]{0,3}(?:\[\d*\])?(?::\s?\w{1,20}(?=\s?=[^=>]))?[ \t]{0,8}(?:[:?]=|[!=]==?|=>|->|→|[=:：＝])(?!>)(?:(?:\*{1,2}|__?)(?=[ \t]))?[ \t]{0,12}(?:""(?=")|''(?=')|"(?=["'])|[|>][-+]?[ \t]*\n[ \t]{1,12})?/y,
  },
  // XML and HTML: <add key="Password" value="…"/>, name="password" value="…"
  {
    tie: "assigned",
    pattern: /["'](?:\s+type\s?=\s?["']\w+["'])?\s+(?:secret_)?value\s?=\s?(?=["'])/y,
  },
  // YAML of Kubernetes and Terraform: - name: TOKEN, value: … and variable "TOKEN" { default = … }
  {
    tie: "assigned",
    pattern:
      /\\?["'`]?,?[^\S\n]{0,4}(?:\{[^\S\n]{0,4})?\n?[^\S\n]{0,12}\\?["']?(?:secret_?)?(?:value|default)\\?["']?\s?[:=]\s?/iy,
  },
  // JSON of Terraform and AWS: "db_password": {"sensitive": true, "value": "…"} and "name": "/prod/db/password", "value": "…"
  {
    tie: "assigned",
    pattern:
      /\\?"(?:\s?:\s?\{|,)[^{}]{0,200}?\\?"(?:value|secret_?string|content)\\?"\s?:\s?(?=\\?")/iy,
  },
  // C++: std::string secret("…"), secret.assign("…")
  { tie: "assigned", pattern: /(?:\.(?:assign|set|append))?\(\s?(?=\\?["'])/y },
  // arguments: ("x-api-key", "…"). The next item of a list isn't a value.
  { tie: "beside", pattern: /\\?["'`]\s?,\s?(?=\\?["'`])/y },
  // XML: <password>…</password>
  { tie: "assigned", pattern: /(?<![-=.])(?:\s[^<>;(){}]{0,60})?>(?=[^\s<>])/y },
  // HTML: <td>password</td><td>…</td>
  {
    tie: "stated",
    pattern: /:?<\/(?:t[dh]|dt)>\s{0,20}<(?:td|dd)(?:\s[^<>]{0,60})?>(?=[^\s<])/y,
  },
  // Cypress, Playwright and Selenium: cy.get("[name=password]").type("…")
  {
    tie: "beside",
    pattern: /\]?\\?["'`]\)\.(?:type|fill|set_?value|send_?keys)\(\s?(?=\\?["'`])/iy,
  },
  // Markdown lists: - Password — …, at the end of a line
  {
    tie: "beside",
    pattern:
      /["'`)*]{0,3}[ \t]{1,4}[—–][ \t]{1,4}(?=["'`]?[^\s"'`]{6,64}["'`]?[.,;)]?[ \t]{0,9}(?:$|[\r\n"}\]]))/y,
  },
  // Markdown tables: | DB_PASSWORD | … |
  { tie: "assigned", pattern: /:?["'`*_]{0,2}[ \t]{0,12}\|[ \t]{0,12}/y },
  // English: the password for the test account was changed to …
  {
    tie: "stated",
    pattern:
      /s?["'`)*]{0,2}(?: \([^()\n]{1,30}\))?(?: (?:for|of|on|in|to|at|from|used by)(?: [\w@.'-]{1,24}){1,6}?)? ?(?:(?: (?:is|was|has been|got))? (?:changed|set|reset|rotated|updated|switched) to| (?:is|was|are|were|will be|became|equals|to|now|=)|:|->|→|,(?= \S+,))(?: (?:now|still|currently|just|equal to))?[:：]? (?:the )?/y,
  },
  // English: my password's …, unless a noun follows
  {
    tie: "beside",
    pattern:
      /['’]s (?:now )?(?=["'`]?[^\s"'`]{6,64}["'`]?(?:[ \t]{0,9}(?:$|[\r\n])|[}\]]|(?<=[,.;)])\s| (?:and|but|for|on|at|in|now|not|so|please|until|or)\b))/y,
  },
  // defaults in code: password || "…", ENV["PASSWORD"] ?? "…", password | default("…")
  {
    tie: "assigned",
    pattern:
      /["'\])}]{0,3}[^\n"'`;,|?]{0,60}?(?:\|\|=?|\?\?=?|\?:|\bor\b|\belse\b|\|[ \t]{0,2}default|\.unwrap_or|\.getOrElse)[ (\t]{0,3}(?=\\?["'`])/y,
  },
  // command lines and sentences: --password …, ENV TOKEN …, with password …
  {
    tie: "beside",
    pattern:
      /["'`)]{0,2}[ \t]{1,12}\(?(?:(?:--body|--?[vV]alue|key|KEY|token|value|of|x)[ =]{1,2})?/y,
  },
];

/** Korean, Chinese and Japanese: 비밀번호는 …, 密码是 …, パスワードは …, 토큰: … */
export const EASTERN_CONNECTORS: readonly Connector[] = [
  {
    tie: "stated",
    pattern:
      / ?(?:["'`)]{0,2}(?:의 ?값)?(?:은|는|이|가|을|를|도|로|으로)|(?:已经?|被)?(?:是|[设設]?(?:置|定)?[为為]|[更变變]?[改新更換换](?:为|為|成))了?|(?:は|が|を|の値は))?[ \t]{0,3}[:：=]?[ \t]{0,3}/y,
  },
  ...CONNECTORS,
];
