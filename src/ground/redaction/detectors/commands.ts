/** Web tokens, headers, commands, calls and statements with a secret that no name announces, by tool. */
import { endsString } from "../assignments/read-value.ts";
import { type Forms, findForms, type Judge } from "../search.ts";
import { isChosenOrRandom, isCodeOrPlaceholder } from "../values/placeholders.ts";
import { isTwoWords, isWords, looksRandom } from "../values/shape.ts";

/** Punctuation after a value. The look-behind keeps a long run of it linear. */
const CLOSING = /(?<![,.;:)\]}\\])[,.;:)\]}\\]+$/;
/** The characters that are judged. */
const JUDGED = 400;
/** The rest of a longer option or of a `find` after `-p`: `-print0`, `-precision`. */
const REST_OF_OPTION =
  /^(?:rint[0f]?|rune|erm|ath|ort|rotocol|recision|retty|rofile|rogress|roject|refix|roduction|rovenance|arallel|arents|assw(?:ord|d)|lugins?|latform|thread|edantic)(?![\w!@#$%^&*?+~])/;

/** Judges the first characters of a value, unless its place shows that it isn't one. */
function judge(isSecret: (value: string) => boolean): Judge {
  return (value, { text, start }) => {
    if (endsString(text, start - 1, text.charAt(start - 1))) {
      return false;
    }
    if (text.startsWith("-p", start - 2) && REST_OF_OPTION.test(value)) {
      return false;
    }
    return isSecret(value.slice(0, JUDGED));
  };
}

/** Any value except code and placeholders. */
const isGiven = judge((value) => !isCodeOrPlaceholder(value));

const isChosen = judge(isChosenOrRandom);

const isChosenOrTwoWords = judge(
  (value) => isChosenOrRandom(value) || (isTwoWords(value) && !isCodeOrPlaceholder(value)),
);

const isRandom = judge(
  (value) =>
    !isCodeOrPlaceholder(value) &&
    !isWords(value) &&
    (looksRandom(value, 10) || (/\d/.test(value) && /[A-Za-z]/.test(value))),
);

/** Base64 of `user:password`. `Basic Operators` decodes as well, but not to characters that can be typed. */
const isBasic = judge((value) => {
  const pair = Buffer.from(value, "base64").toString("latin1");
  if (!/^[\x20-\x7e\x80-\xff]{0,60}:/.test(pair)) {
    return false;
  }
  return !isWords(value.replace("/", " ")) || !/[^\x20-\x7e]/.test(pair);
});

/** Web tokens (RFC 7519), signed, encrypted, or cut off after any part. `eyJ` is base64 of `{"`. */
export const findWebTokens = findForms([
  {
    kind: "web-token",
    isSecret: (token) => token.includes(".") && token.length >= 30,
    // Also matches a single part, so that a run is skipped at once, however many beginnings it contains.
    patterns: { eyj: /(?<![A-Za-z0-9])(?<s>eyJ[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]+)*)/dy },
  },
  {
    kind: "web-token",
    // A single part is a token unless it decodes to JSON, which may be a cursor or a source map.
    isSecret: (token) =>
      /[^\s\x20-\x7e]/.test(Buffer.from(token, "base64").toString("latin1").slice(0, -3)),
    patterns: { eyj: /(?<![A-Za-z0-9]|base64,)(?<s>eyJ[A-Za-z0-9_+/-]{36,}={0,3})/dy },
  },
]);

export const findInHeaders = findForms(
  [
    {
      kind: "authorization",
      isSecret: isBasic,
      patterns: {
        basic: /\bBasic\s+(?<s>[A-Za-z0-9+/_-]{6,}={0,2})/dy,
      },
    },
    {
      kind: "authorization",
      isSecret: isRandom,
      patterns: {
        "bearer|apikey|api-key|api-token|ssws|geniekey|deepl-auth":
          /\b(?:Bearer|ApiKey|Api-Key|Api-Token|SSWS|GenieKey|Klaviyo-API-Key|DeepL-Auth-Key)[ :]+["']?(?<s>[A-Za-z0-9_+/=.~:|-]{12,})/dy,
        authorization:
          /\bAuthorization(?:["']?\s?[:=]|["']\s?,)\s?["']?(?:(?:Bearer|Token|Api-?Key|Api-Token|Digest|OAuth)\s+)?(?<s>[\x21\x23-\x26\x28-\x3b\x3d-\x5b\x5d-\x5f\x61-\x7e]{8,})/diy,
      },
    },
    {
      kind: "session-cookie",
      isSecret: isRandom,
      patterns: {
        "sess|connect.sid=|remember_|sid=|auth=|csrftoken=|xsrf-token=":
          /(?:sess[\w.-]{0,40}|\b(?:connect\.sid|remember_\w{1,60}|sid|auth|csrftoken|XSRF-TOKEN))=(?:s%3A|s:)?(?<s>[A-Za-z0-9%+/_=.-]{16,})/diy,
      },
    },
  ],
  CLOSING,
);

type Patterns = Forms["patterns"];

/** Options of HTTP clients with `user:password`. */
const HTTP_CLIENTS: Patterns = {
  curl: /\bcurl\b[^\n]{0,300}?\s(?:-u|--user|-U|--proxy-user)[ =]?["']?[^\s:"']{0,60}:["']?(?<s>[^\s"']{4,})/dy,
  "-u|--user": /(?<=\s)(?:-u|--user)[ =]{1,3}["']?[\w.@+{}-]{1,60}["']?:["']?(?<s>[^\s"'$]{4,})/dy,
};

/** Clients of databases and message brokers. */
const DATABASES: Patterns = {
  "mysql|mariadb|mariabackup|xtrabackup|mycli|mytop":
    /\b(?:mysql\w{0,20}|mariadb|mariabackup|xtrabackup|mycli|mytop)\b[^\n|;]{0,120}?[\s"']-p["']?(?<s>(?<=")[\w$!@#][^"\n]{3,99}(?=")|(?<=')[\w$!@#][^'\n]{3,99}(?=')|[^\s"'-][^\s"']{3,})/dy,
  "redis-cli|valkey-cli":
    /\b(?:redis-cli|valkey-cli)\b[^\n|;]{0,120}?\s(?:-a|--pass)[ =]["']?(?<s>[^\s"']{4,})/dy,
  "sqlcmd|bcp|isql|osql":
    /\b(?:sqlcmd|bcp|isql|osql)\b[^\n|;]{0,160}?\s-P\s?["']?(?<s>[^\s"']{4,})/dy,
  "sqlplus|rman|expdp|impdp":
    /\b(?:sqlplus|rman|expdp|impdp)\s+(?:-\w+\s+){0,5}[\w$]{1,60}\/["']?(?<s>[^\s"'@]{4,})/diy,
  // EZConnect of Oracle: scott/tiger1@//host:1521
  "@//": /(?<=(?<![\w/:.])[\w$]{2,20}\/["']?(?<s>[^\s"'@/]{4,60}))@\/\/[\w.-]+:\d+/dy,
  // statements of SQL
  "identified|password":
    /(?:IDENTIFIED\s+(?:WITH\s+\S+\s+)?BY|(?<=WITH\s{1,9}(?:ENCRYPTED\s{1,9})?)PASSWORD|(?<=SET\s{1,9})PASSWORD\s*=|PASSWORD\s+IS)\s+(?:PASSWORD\s+)?["'](?<s>[^"'\n]{4,})["']/diy,
};

/** Clients of registries, clouds and databases with `-p`. */
const LOGINS: Patterns = {
  "mongo|docker login|podman login|helm registry login|az login|skopeo login|buildah login|cqlsh|influx|rabbitmqadmin|clickhouse-client":
    /\b(?:mongo(?:sh|dump|restore|import|export|stat|top|files)?|docker login|podman login|helm registry login|az login|skopeo login|buildah login|cqlsh|influx|rabbitmqadmin|clickhouse-client)\b[^\n|;]{0,160}?\s-p[ =]?["']?(?<s>[^\s"'-][^\s"']{3,})/dy,
};

/** Directories, shares and remote shells. */
const DIRECTORIES: Patterns = {
  sshpass:
    /\bsshpass\s+(?:-v\s+)?-p\s?["']?(?<s>(?<=")[\w$!@#][^"\n]{3,99}(?=")|(?<=')[\w$!@#][^'\n]{3,99}(?=')|[^\s"']{4,})/dy,
  ldap: /\b(?:ldapsearch|ldapmodify|ldapadd|ldapwhoami)\b[^\n|;]{0,200}?\s-w\s?["']?(?<s>[^\s"']{4,})/dy,
  smbclient: /\bsmbclient\b[^\n]{0,100}?-U\s?["']?[\w.\\/-]{1,100}%(?<s>[^\s"']{4,})/dy,
  "net use": /\bnet use\s[^\n]{0,80}?\/user:\S+\s+(?<s>[^\s"'/*][^\s"']{3,})/diy,
  machine: /\bmachine\s+\S+\s+login\s+\S+\s+password\s+(?<s>\S{4,})/dy,
};

/** Archives, certificates and password files. */
const ARCHIVES: Patterns = {
  "7z|unrar|rar": /\b(?:7z|7za|unrar|rar)\s[^\n|;]{0,80}?\s-p(?<s>[^\s"'-][^\s"']{3,})/dy,
  "zip|unzip": /\b(?:zip|unzip)\s[^\n|;]{0,80}?(?<=\s)-P\s?["']?(?<s>[^\s"']{4,})/dy,
  openssl: /\bopenssl\s[^\n|;]{0,160}?\s-[kK]\s["']?(?<s>[^\s"'-][^\s"']{3,})/dy,
  "-pass|-storepass|-keypass":
    /(?<=\s)-(?:(?:passin|passout|pass)\spass:|(?:storepass|keypass)\s)["']?(?<s>[^\s"':]{4,})/dy,
  htpasswd: /\bhtpasswd\s+-\w{0,9}b\w{0,9}\s+\S{1,200}\s+\S{1,200}\s+["']?(?<s>[^\s"']{4,})/dy,
  echo: /\becho\s+(?:-n\s+)?["']?[\w.-]+:(?<s>[^\s"']{4,})["']?\s*\|\s*(?:sudo\s+)?chpasswd/dy,
};

/** .NET and PowerShell. */
const DOTNET: Patterns = {
  networkcredential: /\bNetworkCredential\(\s*"[^"\n]*"\s*,\s*"(?<s>[^"\n]{4,})"/dy,
  "convertto-securestring":
    /\bConvertTo-SecureString\s+(?:-\w+\s+){0,3}\(?["'](?<s>[^"'\n]{4,})["']/diy,
};

/** Credentials in code, in sentences and in scripts that type them. */
const PAIRS: Patterns = {
  "login|log in|logged in":
    /\b(?:login|log in|logged in)\b[^\n|;]{0,40}?\s["'`]?-p["']?(?<s>[^\s"'`-][^\s"'`]{5,})/diy,
  // requests.get(url, auth=("user", "…")), HTTPBasicAuth("user", "…"), agent.auth("user", "…")
  auth: /(?:\bauth\s?=\s?|(?<=Basic|Digest|\.)auth)\(\s?["'][^"'\n]{1,60}["']\s?,\s?["'](?<s>[^"'\n]{4,})["']\s?\)/diy,
  // the third argument of calls that open a database
  "mysql|pdo|getconnection":
    /\b(?:mysqli?(?:_p?connect)?|PDO|getConnection)\s?\((?:[^(),\n]{1,200},){2}\s{0,9}["'](?<s>[^"'\n]{4,})["']/diy,
  http: /\bhttps?\s[^\n|;]{0,80}?(?<=\s)(?:-a|--auth)[ =]["']?[\w.@+-]{1,60}:(?<s>[^\s"']{4,})/dy,
  "cred|login|log in|account|계정|账号|帳號|アカウント|로그인|登录|접속|连接|接続|user":
    /(?:\bcreds?\b|credentials?|\blogin\b|\blog in\b|\baccount\b|계정|账号|帳號|アカウント|로그인|登录|접속|连接|接続|\busers?(?:name)?\s?\/\s?pass(?:w(?:or)?d)?\b)[^\n]{0,24}?(?:is|are|은|는|이|가|是|为|は|:|：|→|->|=>|=|with|as)? ?(?<![\w/.,{}[\]#-]|::)["'`(]?[\w.@+-]{2,40}(?: \/ |[/:])(?=[^\s\d!@#$%^&*?+]{0,200}(?:[!@#$%^&*?+]|\d[^\s\d!@#$%^&*?+]{0,200}[\d!@#$%^&*?+]))(?<!arn:\S{0,99})(?![\w.+-]{1,200}@[\w-]{1,200}\.[a-z])(?<s>[^\s"'`)/，。]{6,})/diy,
  // Terraform: {"sensitive": true, "type": "string", "value": "…"}
  '"sensitive"': /"sensitive"\s?:\s?true,[^{}]{0,200}?"value"\s?:\s?"(?<s>[^"\n]{4,800})"/diy,
  // Expect, Pexpect and tmux
  "send|expect":
    /(?:\b|(?<=\\n))(?:send|sendline|Send-Keys|expect)[\s({-]{0,3}\\?["'](?<s>[^\s"'\\]{6,})\\{1,2}[rn]/dy,
};

/** Secrets that are piped into a command: echo … | gh auth login --with-token, wrangler secret put KEY <<< … */
const PIPES: Patterns = {
  "echo|printf":
    /\b(?:echo|printf)\s+(?:-n\s+)?(?:["']%s["']\s+)?["']?(?<s>[^\s"'|]{6,})["']?\s*\|\s*[^\n|]{0,80}(?:login|--password-stdin|--with-token|passwd|secret|unseal|add-authtoken|sudo\s+(?:-\S+\s+)*(?:-\w*S|--stdin))/dy,
  "<<<":
    /(?<=(?:login|--password-stdin|--with-token|passwd|secret|unseal)\b[^\n|;]{0,80})(?<!<)<<<(?!<)[ \t]?["']?(?<s>[^\s"'|<]{6,})/diy,
};

/** Commands that take a token as an argument, by vendor. */
const TOKEN_COMMANDS: readonly string[] = [
  "vault (?:login|operator unseal|unwrap)",
  "cargo login",
  "ngrok authtoken",
  "ngrok config add-authtoken",
  "nuget setapikey",
  "nuget push \\S+",
  "dotnet nuget push \\S+ (?:-k|--api-key)",
  "npm token revoke",
  "heroku auth:token",
  "flyctl auth token",
  "gem push --key",
  "snyk auth",
  "doppler configure set token",
  "stripe login --api-key",
  "wandb login",
  "pulumi login",
  "hf auth login",
];
const VENDORS: Patterns = {
  "vault |cargo login|ngrok |nuget |dotnet nuget|npm token|heroku auth|flyctl auth|gem push|snyk auth|doppler |stripe login|wandb login|pulumi login|hf auth":
    new RegExp(
      `\\b(?:${TOKEN_COMMANDS.join("|")})\\s+(?:--\\w+\\s+)?["']?(?<s>[A-Za-z0-9_+/=.~-]{12,})`,
      "diy",
    ),
};

export const findInCommands = findForms(
  [
    { kind: "password", isSecret: isChosenOrTwoWords, patterns: HTTP_CLIENTS },
    { kind: "password", isSecret: isGiven, patterns: DATABASES },
    { kind: "password", isSecret: isGiven, patterns: LOGINS },
    { kind: "password", isSecret: isGiven, patterns: DIRECTORIES },
    { kind: "password", isSecret: isGiven, patterns: ARCHIVES },
    { kind: "password", isSecret: isGiven, patterns: DOTNET },
    { kind: "password", isSecret: isChosen, patterns: PAIRS },
    { kind: "token", isSecret: isGiven, patterns: PIPES },
    { kind: "token", isSecret: isRandom, patterns: VENDORS },
  ],
  CLOSING,
);
