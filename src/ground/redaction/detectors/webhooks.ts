/** Addresses that are themselves a key: anybody who knows the path can post. The host stays, so that the note still reads. */
import { findForms } from "../search/forms.ts";

const TAIL = "[A-Za-z0-9_/@.~%=&?-]";
/** Host and path, then the part that is secret. */
const ADDRESSES: readonly (readonly [kind: string, before: string, secret: string])[] = [
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
  ADDRESSES.map(([kind, before, secret]) => ({
    kind,
    isSecret: (_, { match }) => !/\.\.\.|x{4}|your/i.test(match.groups?.s ?? ""),
    patterns: { [`//${/^\w*/.exec(before)}`]: new RegExp(`//${before}(?<s>${secret})`, "dy") },
  })),
  /(?<![.&?])[.&?]+$/,
);
