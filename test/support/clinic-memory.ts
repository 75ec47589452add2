/** What agents noted of a booking system of clinics, for tests of what a question finds: topic, gap and lesson of each. */
import type { WorkingCopy } from "../../src/lessons/merge/fold.ts";
import { logLine, snapshotOf } from "./lines.ts";

const LESSONS = `
booking | A slot may be held by two patients while the payment page is open | Lock the slot with hold_slot for ten minutes and release it on leaving
booking | Doctors from abroad keep their own time zone in the calendar | Store instants in UTC and show the zone of the clinic
booking | A cancelled visit stays in the waiting list | Call releaseWaitlist after every cancellation
booking | Opening hours on public holidays come from a spreadsheet of the office | Read holidays.csv, never the constant
booking | The widget on partner sites must not read cookies | Pass the state in the fragment of the address
booking | Recurring visits end at daylight saving | Compute each visit from the local wall clock
reminders | The SMS provider cuts texts of more than 160 characters | Shorten with fitSms before sending
reminders | Reminders must be silent at night in the patient's country | Queue them until eight in the morning
reminders | Twilio answers 429 when a batch is larger than a hundred | Send in batches of fifty with a pause
reminders | Mails to Outlook lose their buttons | Use table layout for the message
reminders | Patients without a phone get a letter | Write the letter queue to the printer share every evening
billing | Insurance companies reject invoices without the case number | Require case_number before the export
billing | The price of a visit depends on the age of the patient on that day | Compute the age from the date of the visit
billing | Refunds over 500 need a second signature | Create an ApprovalTask and stop
billing | The accountant closes a month on the fifth day | Refuse bookings into a closed month
billing | DATEV wants amounts with a comma | Format with toDatev and never with the locale of the server
billing | Stripe sends events out of order | Compare event.created before a state changes
records | Lab results arrive as HL7 with two encodings | Detect the charset from MSH-18
records | A patient may have several insurance cards | Choose by the date of validity
records | Scans of X-rays are too large for the database | Put DICOM files in the bucket and keep the key
records | Allergies are shown red on each screen by law | Use the AllergyBanner component everywhere
records | Merging two patients must keep both numbers | Leave the older number as an alias
records | Deleted notes stay visible to the auditor | Mark them with deleted_at and never remove the row
login | Nurses share a computer in the ward | End the session after three minutes without input
login | The hospital's Keycloak needs PKCE | Set code_challenge_method to S256
login | Passwords are checked against the old system until summer | Ask LegacyAuth when the hash is missing
login | Smart cards are read by a local agent on port 9443 | Show how to start it when the port is closed
mobile | Android kills the sync in the background | Use WorkManager with a foreground notice
mobile | The camera permission is asked twice on iOS 17 | Wait for the first answer before the second dialog
mobile | The app must open without a network in the basement | Read the schedule from the local store first
mobile | Push tokens change after a restore of the phone | Send the token at each start
deploy | The staging cluster has half of the memory | Set limits in values-staging.yaml
deploy | Migrations run before the new pods start | Make every column nullable first
deploy | Terraform state lives in another account | Assume the role infra-writer before a plan
deploy | The night build has no access to the internet | Vendor the packages and use the mirror
deploy | Rolling back needs the old image, which the registry drops after a week | Tag releases with keep
ci | Browser tests need a display | Start them under xvfb-run
ci | The cache of Gradle is shared by branches | Put the lock file's hash in the key
ci | Flaky tests are listed in quarantine.txt | Move a test there with its ticket number
ci | Coverage is measured for changed lines only | Run diff-cover against the main branch
search | Names with umlauts must be found without them | Fold with ICU in the index and in the query
search | Doctors search by the first letters of a street | Keep an edge n-gram field for addresses
search | Reindexing blocks writes | Build a second index and swap the alias
api | Partners send dates without a zone | Treat them as the time of the clinic and answer with a warning
api | The old version of the API must answer until March | Keep the adapters in v1 untouched
api | Pagination by offset skips rows while others book | Use the cursor from next_page
api | The gateway drops headers with an underscore | Name headers with hyphens
frontend | The design has no dark colours for charts | Take the colours from chartPalette
frontend | Screen readers skip the calendar | Give each day an aria-label with weekday and month
frontend | Translators deliver keys without the plural forms | Run i18n-check before merging
frontend | Fonts must be served from our own domain | Copy them with the build, never link Google
reports | The ministry wants weekly figures on Monday at six | Schedule export_weekly in the zone Europe/Berlin
reports | Small groups must not be shown for privacy | Hide every figure under five
reports | The warehouse copies tables at midnight | Start no report between midnight and one
예약 | 예약 변경은 진료 시작 두 시간 전까지만 된다 | 마감 시각을 서버에서 계산한다
예약 | 보호자가 대신 예약하면 환자 동의가 빠진다 | 동의서 번호를 함께 저장한다
수납 | 본인부담금은 건강보험 등급으로 달라진다 | 등급표를 먼저 갱신한다
수납 | 영수증 재발급은 원본 번호를 유지한다 | 새 번호를 만들지 않는다
알림 | 카카오 알림톡은 템플릿 승인이 있어야 발송된다 | 승인된 템플릿 목록을 조회한다
알림 | 야간에는 광고 문자를 보낼 수 없다 | 아침까지 대기열에 둔다
挂号 | 专家号每天早上七点放号 | 提前锁定库存，避免超卖
挂号 | 退号后号源要等十分钟才能再卖 | 使用延迟队列释放号源
医保 | 医保结算接口夜间停机 | 停机时先记账，第二天补传
医保 | 异地患者需要备案编号 | 没有备案编号时不能结算
检验 | 危急值必须在五分钟内通知医生 | 通知失败时改打电话
检验 | 血常规报告的单位因设备不同 | 按设备型号换算单位`;

export function clinicMemory(): WorkingCopy {
  const lines = LESSONS.trim()
    .split("\n")
    .map((line, place) => {
      const [topic = "", gap = "", lesson = ""] = line.split(" | ");
      return logLine(topic, gap, 1 + (place % 20), { lesson });
    });
  return snapshotOf(...lines);
}
