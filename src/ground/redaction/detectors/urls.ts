/** Secrets in URLs: a password or a token before the host, a signature in the query, and webhooks, whose path is the secret. */
import { findForms } from "../search.ts";
import { type Detector, matchAt, matchesIn, type Span, spanOf } from "../span.ts";
import { isCodeOrPlaceholder } from "../values/placeholders.ts";
import { isWords, looksRandom } from "../values/shape.ts";

/** `user:password@host`. A pasted password may contain `@`, `/` and `#`, so a host, a port or a path must follow the last `@`. */
const USER_INFO = /([^\s:@/"'`<>|[\]{}()]*):([^\s"'`<>]{1,200})@(?=[A-Za-z0-9[$])/y;
const USER_ONLY = /([A-Za-z0-9_.~=%-]{16,200})@(?=[A-Za-z0-9])/y;
const SIGNATURE =
  /[?&;](?:sig|signature|x-amz-signature|x-goog-signature|x-amz-security-token|hmac)=([A-Za-z0-9%+/_=-]{16,})/gi;

export const findUrlSecrets: Detector = (text, _, spans) => {
  for (const from of afterSchemes(text)) {
    const span = passwordAt(text, from);
    if (span) {
      spans.push(span);
    }
  }
  for (const { index, 0: parameter, 1: signature = "" } of matchesIn(text, SIGNATURE)) {
    spans.push(spanOf(index + parameter.length - signature.length, signature, "url-signature"));
  }
};

/** Oracle's `jdbc:oracle:thin:user/password@host` */
const THIN = /(?<=:)thin:(?=[\w$]+\/)/g;

/** Yields the start of the user part after `https://` and the like. */
function* afterSchemes(text: string): Generator<number> {
  for (
    let slashes = text.indexOf("://");
    slashes >= 0;
    slashes = text.indexOf("://", slashes + 3)
  ) {
    if (/[A-Za-z0-9]/.test(text.charAt(slashes - 1))) {
      yield slashes + 3;
    }
  }
  if (text.includes("thin:")) {
    for (const thin of matchesIn(text, THIN)) {
      yield thin.index + thin[0].length;
    }
  }
}

function passwordAt(text: string, from: number): Span | undefined {
  const pair = matchAt(USER_INFO, text, from);
  if (!pair) {
    return tokenAt(text, from);
  }
  const [, user = "", password = ""] = pair;
  if (isPortOrPlaceholder(user, password)) {
    return undefined;
  }
  const isUserSecret = /^[0-9a-f]{8,}$/.test(user) && /\d/.test(user);
  const start = isUserSecret ? from : from + user.length + 1;
  return { start, end: from + user.length + 1 + password.length, kind: "url-password" };
}

const PLACEHOLDER = /^(?:password|passwd|pass|pwd|pw|secret|token|x-oauth-basic|\*+|x+)$/i;
const MASKED = /\[REDACTED|\*{3}|\.{3}|…|^your|example|placeholder|changeme/i;

function isPortOrPlaceholder(user: string, password: string): boolean {
  const isPort = /^\d{2,5}(?:[/?#]|$)/.test(password); // example.com:8080/@scope
  if (isPort || PLACEHOLDER.test(password) || password === user) {
    return true;
  }
  return /^[$<{[%]/.test(password) ? isCodeOrPlaceholder(password) : MASKED.test(password);
}

/** A token in place of a user. The key in the address of a Sentry project is public. */
function tokenAt(text: string, from: number): Span | undefined {
  const user = matchAt(USER_ONLY, text, from)?.[1];
  if (!user || !looksRandom(user, 16) || isWords(user)) {
    return undefined;
  }
  const isSentry = /^\S{0,300}sentry/.test(text.slice(from, from + 320));
  return isSentry ? undefined : spanOf(from, user, "url-token");
}

const TAIL = "[A-Za-z0-9_/@.~%=&?-]";
/** Webhooks by vendor: the host and path, then the secret part. The host isn't redacted, so that the note stays readable. */
const WEBHOOKS: readonly (readonly [kind: string, before: string, secret: string])[] = [
  ["slack-webhook", "hooks\\.slack\\.com/(?:services|workflows|triggers)/", `${TAIL}{20,}`],
  ["discord-webhook", "discord(?:app)?\\.com/api/(?:v\\d+/)?webhooks/", `\\d{6,}/${TAIL}{20,}`],
  [
    "teams-webhook",
    "(?:outlook\\.office(?:365)?\\.com|[\\w-]+\\.webhook\\.office\\.com)/webhook(?:b2)?/",
    `${TAIL}{20,}`,
  ],
  ["google-chat-webhook", "chat\\.googleapis\\.com/v1/spaces/[\\w-]+/messages\\?", `${TAIL}{20,}`],
  ["zapier-webhook", "hooks\\.zapier\\.com/hooks/catch/", `${TAIL}{8,}`],
  [
    "ifttt-webhook",
    "maker\\.ifttt\\.com/(?:trigger/[\\w-]+/(?:json/)?with/key|use)/",
    `${TAIL}{16,}`,
  ],
  ["make-webhook", "hook\\.[\\w.-]*(?:make|integromat)\\.com/", `${TAIL}{20,}`],
  ["pipedream-webhook", "(?=\\w{12,}\\.m\\.pipedream\\.net)", "\\w{12,}"],
  ["tines-webhook", "[\\w.-]+\\.tines\\.com/webhook/", `${TAIL}{20,}`],
  [
    "feishu-webhook",
    "open\\.(?:feishu\\.cn|larksuite\\.com)/open-apis/bot/v2/hook/",
    `${TAIL}{20,}`,
  ],
  ["dingtalk-webhook", "oapi\\.dingtalk\\.com/robot/send\\?access_token=", `${TAIL}{20,}`],
  ["wecom-webhook", "qyapi\\.weixin\\.qq\\.com/cgi-bin/webhook/send\\?key=", `${TAIL}{20,}`],
  ["jandi-webhook", "wh\\.jandi\\.com/connect-api/webhook/", `${TAIL}{16,}`],
  ["telegram-token", "api\\.telegram\\.org/(?:file/)?bot", "\\d{6,}:[A-Za-z0-9_-]{20,}"],
  ["datadog-webhook", "http-intake\\.logs\\.[\\w.]*datadoghq\\.\\w+/v1/input/", `${TAIL}{20,}`],
  ["pagerduty-webhook", "events\\.pagerduty\\.com/integration/", "[0-9a-zA-Z]{20,}"],
  ["opsgenie-webhook", "api\\.opsgenie\\.com/v\\d/json/[\\w]+\\?apiKey=", `${TAIL}{20,}`],
  ["mattermost-webhook", "[\\w.-]+/hooks/(?=[a-z0-9]{26}(?![a-z0-9]))", "[a-z0-9]{26}"],
  ["power-automate-webhook", "[\\w.-]+\\.logic\\.azure\\.com[:\\d]*/workflows/", `${TAIL}{20,}`],
  ["airtable-webhook", "hooks\\.airtable\\.com/workflows/v1/genericWebhook/", `${TAIL}{20,}`],
  ["webhook-site", "webhook\\.site/(?=[0-9a-f]{8}-)", "[0-9a-f-]{36}"],
];

export const findWebhooks = findForms(
  WEBHOOKS.map(([kind, before, secret]) => ({
    kind,
    isSecret: (_, { match }) => !/\.\.\.|x{4}|your/i.test(match.groups?.s ?? ""),
    patterns: { [`//${/^\w*/.exec(before)}`]: new RegExp(`//${before}(?<s>${secret})`, "dy") },
  })),
  /(?<![.&?])[.&?]+$/,
);
