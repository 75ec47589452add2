import type { SentinelError } from "../../ground/core/errors.ts";
import type { EditKind } from "./edits/edit.ts";

/** The change of one file. */
export interface Step {
  readonly path: string;
  readonly what: EditKind;
  /** Undefined if there is no file. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** Lines for the list of created files. */
  readonly created: readonly string[];
  /** Why the file is left alone. */
  readonly problem?: SentinelError;
}
