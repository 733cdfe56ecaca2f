import type { SqlResult, SqlValue } from "../../storage/engine.ts";

/** How large the result of a scan may be. */
export interface ScanBounds {
  readonly rows: number;
  /** Bytes of text and blobs, with eight for each other value. */
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
