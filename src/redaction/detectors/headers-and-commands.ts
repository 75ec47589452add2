/** Authorization headers, session cookies, and command lines that take a secret without naming it. */

import { isInert, isWords, looksChosen, looksRandom } from "../shape.ts";
import type { Detector, Span } from "../span.ts";

/** What the value must look like to be redacted. `any` still spares references, paths and fillers. */
type Need = "any" | "chosen" | "random" | "basic"; // basic: base64 of `user:password`

/**
 * One group named `s` holds the secret; quotes stay outside it. Each form comes with literals of which its text has one,
 * in lower case: a text without them is not looked at.
 */
const FORMS: readonly (readonly [kind: string, need: Need, literals: string, pattern: RegExp])[] = [
  ["authorization", "basic", "basic", /\bBasic\s+(?<s>[A-Za-z0-9+/_-]{6,}={0,2})/g],
  [
    "authorization",
    "random",
    "bearer|apikey|api-key|api-token|ssws|geniekey|deepl-auth",
    /\b(?:Bearer|ApiKey|Api-Key|Api-Token|SSWS|GenieKey|Klaviyo-API-Key|DeepL-Auth-Key)[ :]+["']?(?<s>[A-Za-z0-9_+/=.~:|-]{12,})/g,
  ],
  [
    "authorization",
    "random",
    "authorization",
    /\bAuthorization["']?\s?[:=,]\s?["']?(?:(?:Bearer|Token|Api-?Key|Api-Token|Digest|OAuth)\s+)?(?<s>[\x21\x23-\x26\x28-\x3b\x3d-\x5b\x5d-\x5f\x61-\x7e]{8,})/gi,
  ],
  [
    "session-cookie",
    "random",
    "sess|sid=|auth=|token=|remember_",
    /(?:sess[\w.-]{0,40}|\b(?:connect\.sid|remember_\w+|sid|auth|csrftoken|XSRF-TOKEN))=(?:s%3A|s:)?(?<s>[A-Za-z0-9%+/_=.-]{16,})/gi,
  ],
  [
    "password",
    "chosen",
    "curl",
    /\bcurl\b[^\n]{0,300}?\s(?:-u|--user|-U|--proxy-user)[ =]?["']?[^\s:"']{0,60}:["']?(?<s>[^\s"']{4,})/g,
  ],
  [
    "password",
    "chosen",
    " -u| --user|\t-u|\n-u",
    /\s(?:-u|--user)[ =]{1,3}["']?[\w.@+{}-]{1,60}["']?:["']?(?<s>[^\s"'$]{4,})/g,
  ],
  [
    "password",
    "any",
    "mysql|mariadb|mycli",
    /\b(?:mysql|mysqldump|mysqladmin|mariadb|mycli)\b[^\n|;]{0,120}?\s-p["']?(?<s>[^\s"'-][^\s"']{3,})/g,
  ],
  [
    "password",
    "any",
    "redis-cli|valkey-cli",
    /\b(?:redis-cli|valkey-cli)\b[^\n|;]{0,120}?\s(?:-a|--pass)[ =]["']?(?<s>[^\s"']{4,})/g,
  ],
  ["password", "any", "sshpass", /\bsshpass\s+-p\s?["']?(?<s>[^\s"']{4,})/g],
  [
    "password",
    "any",
    "mongo|docker login|podman login|registry login|az login|skopeo login|buildah login|cqlsh |influx |rabbitmqadmin|clickhouse-client",
    /\b(?:mongo|mongosh|mongodump|mongorestore|docker login|podman login|helm registry login|az login|skopeo login|buildah login|cqlsh|influx|rabbitmqadmin|clickhouse-client)\b[^\n|;]{0,160}?\s-p[ =]?["']?(?<s>[^\s"'-][^\s"']{3,})/g,
  ],
  [
    "password",
    "any",
    "sqlcmd |bcp |isql |osql ",
    /\b(?:sqlcmd|bcp|isql|osql)\b[^\n|;]{0,160}?\s-P\s?["']?(?<s>[^\s"']{4,})/g,
  ],
  [
    "password",
    "any",
    "ldap",
    /\b(?:ldapsearch|ldapmodify|ldapadd|ldapwhoami)\b[^\n|;]{0,200}?\s-w\s?["']?(?<s>[^\s"']{4,})/g,
  ],
  ["password", "any", "7z |7za |rar ", /\b(?:7z|7za|unrar|rar)\s[^\n|;]{0,80}?\s-p(?<s>[^\s"'-][^\s"']{3,})/g],
  ["password", "any", "zip ", /\b(?:zip|unzip)\s[^\n|;]{0,80}?-P\s?["']?(?<s>[^\s"']{4,})/g],
  [
    "password",
    "any",
    "-pass|-storepass|-keypass",
    /\s-(?:(?:passin|passout|pass)\spass:|(?:storepass|keypass)\s)["']?(?<s>[^\s"':]{4,})/g,
  ],
  ["password", "any", "htpasswd", /\bhtpasswd\s+-\w*b\w*\s+\S+\s+\S+\s+["']?(?<s>[^\s"']{4,})/g],
  ["password", "any", "smbclient", /\bsmbclient\b[^\n]{0,100}?-U\s?["']?[\w.\\/-]+%(?<s>[^\s"']{4,})/g],
  ["password", "any", "net use", /\bnet use\s[^\n]{0,80}?\/user:\S+\s+(?<s>[^\s"'/*][^\s"']{3,})/gi],
  [
    "password",
    "any",
    "sqlplus|rman|expdp|impdp",
    /\b(?:sqlplus|rman|expdp|impdp)\s+(?:-\w+\s+)*[\w$]+\/["']?(?<s>[^\s"'@]{4,})/gi,
  ],
  ["password", "any", "@//", /(?<![\w/:.])[\w$]{2,20}\/["']?(?<s>[^\s"'@/]{4,60})@\/\/[\w.-]+:\d+/g],
  [
    "password",
    "any",
    "chpasswd",
    /\becho\s+(?:-n\s+)?["']?[\w.-]+:(?<s>[^\s"']{4,})["']?\s*\|\s*(?:sudo\s+)?chpasswd/g,
  ],
  [
    "token",
    "any",
    "echo|printf",
    /\b(?:echo|printf)\s+(?:-n\s+)?(?:["']%s["']\s+)?["']?(?<s>[^\s"'|]{6,})["']?\s*\|\s*[^\n|]{0,80}(?:login|--password-stdin|--with-token|passwd|secret|unseal|add-authtoken|sudo\s+(?:-\S+\s+)*(?:-\w*S|--stdin))/g,
  ],
  [
    "token",
    "random",
    "vault |cargo login|ngrok |nuget |npm token|heroku auth|flyctl auth|gem push|snyk auth|doppler |stripe login|wandb login|pulumi login|hf auth",
    /\b(?:vault (?:login|operator unseal|unwrap)|cargo login|ngrok authtoken|ngrok config add-authtoken|nuget setapikey|nuget push \S+|dotnet nuget push \S+ (?:-k|--api-key)|npm token revoke|heroku auth:token|flyctl auth token|gem push --key|snyk auth|doppler configure set token|stripe login --api-key|wandb login|pulumi login|hf auth login)\s+(?:--\w+\s+)?["']?(?<s>[A-Za-z0-9_+/=.~-]{12,})/gi,
  ],
  ["password", "any", "networkcredential", /\bNetworkCredential\(\s*"[^"\n]*"\s*,\s*"(?<s>[^"\n]{4,})"/g],
  ["password", "any", "machine", /\bmachine\s+\S+\s+login\s+\S+\s+password\s+(?<s>\S{4,})/g],
  [
    "password",
    "any",
    "identified|password",
    /(?:IDENTIFIED\s+(?:WITH\s+\S+\s+)?BY|WITH\s+(?:ENCRYPTED\s+)?PASSWORD|SET\s+PASSWORD\s*=|PASSWORD\s+IS)\s+(?:PASSWORD\s+)?["'](?<s>[^"'\n]{4,})["']/gi,
  ],
  [
    "password",
    "chosen",
    "cred|login|log in|account|계정|账号|帳號|アカウント|로그인|登录|접속|连接|接続|user/pass|user / pass|username/pass|username / pass|users/pass",
    /(?:\bcreds?\b|credentials?|\blogin\b|\blog in\b|\baccount\b|계정|账号|帳號|アカウント|로그인|登录|접속|连接|接続|\busers?(?:name)?\s?\/\s?pass(?:w(?:or)?d)?\b)[^\n]{0,24}?(?:is|are|은|는|이|가|是|为|は|:|：|→|->|=>|=|with|as)? ?["'`(]?[\w.@+-]{2,40}(?: \/ |[/:])(?=\S*(?:[!@#$%^&*?+]|\d\S*\d))(?<s>[^\s"'`)/，。]{6,})/gi,
  ],
  ["password", "chosen", "send|expect", /(?<=\b(?:send|sendline|Send-Keys|expect)\W{1,4})(?<s>[^\s"'\\]{6,})\\[rn]/g],
];

const ROWS = FORMS.map(([kind, need, literals, pattern]) => [kind, need, literals.split("|"), pattern] as const);

export const findInHeadersAndCommands: Detector = (text) => {
  const spans: Span[] = [];
  const lower = text.toLowerCase();
  for (const [kind, need, literals, pattern] of ROWS) {
    if (!literals.some((literal) => lower.includes(literal))) continue;
    for (const found of text.matchAll(pattern)) {
      const raw = found.groups?.s ?? "";
      const secret = raw.replace(/[,.;:)\]}\\]+$/, "");
      const start = found.index + found[0].lastIndexOf(raw);
      if (meets(secret, need)) spans.push({ start, end: start + secret.length, kind });
    }
  }
  return spans;
};

function meets(value: string, need: Need): boolean {
  if (need === "basic") return /^[\x20-\x7e\x80-\xff]{0,60}:/.test(Buffer.from(value, "base64").toString("latin1"));
  if (isInert(value)) return false;
  if (need === "random")
    return !isWords(value) && (looksRandom(value, 10) || (/\d/.test(value) && /[A-Za-z]/.test(value)));
  return need === "any" || looksChosen(value) || looksRandom(value, 8);
}
