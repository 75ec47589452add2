/** All token formats that providers publish, in one list; `formats/row.ts` says how a shape is written. */
import { CLOUDS } from "./formats/clouds.ts";
import { CODE_HOSTING } from "./formats/code-hosting.ts";
import { DATABASES } from "./formats/databases.ts";
import { LANGUAGE_MODELS } from "./formats/language-models.ts";
import { MESSAGING } from "./formats/messaging.ts";
import { MONITORING } from "./formats/monitoring.ts";
import { PAYMENT } from "./formats/payment.ts";
import type { Row } from "./formats/row.ts";

export interface Format {
  readonly kind: string;
  readonly shape: string;
  /** Where the format is published: the provider's documentation, by its short name. */
  readonly source: string;
}

const ROWS: readonly Row[] = [
  ...CLOUDS,
  ...CODE_HOSTING,
  ...DATABASES,
  ...LANGUAGE_MODELS,
  ...PAYMENT,
  ...MESSAGING,
  ...MONITORING,
];

export const FORMATS: readonly Format[] = ROWS.map(([kind, shape, source]) => ({ kind, shape, source }));
