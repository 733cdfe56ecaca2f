import type { Generated } from "kysely";
import type { columnsOf } from "../contract/log_columns.ts";

type LogColumns = ReturnType<typeof columnsOf>;

export interface HTTPAccessLogRow extends Omit<LogColumns, "status" | "tags"> {
  partition: bigint;
  status: bigint;
  /** A JSON list. */
  tags: string;
}

export interface Tables {
  httpAccessLogs: HTTPAccessLogRow & { id: Generated<bigint> };
  httpAccessLogDetails: { id: bigint; log: Uint8Array; requestBody: Uint8Array | null };
  httpAccessLogPartitions: { day: bigint; partition: bigint; n: bigint; firstId: string; lastId: string };
}
