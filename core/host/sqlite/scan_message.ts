import type { SqlResult, SqlValue } from "../../storage/engine.ts";

/** How large the result of a scan may be. */
export interface ScanBounds {
  readonly rows: number;
  /** Roughly: a character of text counts as one, and each other value but a blob as eight. */
  readonly bytes: number;
}

/** What the parent sends: one statement, already checked. */
export interface ScanRequest {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
  readonly bounds: ScanBounds;
}

/** What the child answers. `tooLarge` names the bound that the result exceeds. */
export type ScanReply =
  | { readonly result: SqlResult }
  | { readonly tooLarge: string }
  | { readonly error: { readonly message: string; readonly code: string | undefined } };
