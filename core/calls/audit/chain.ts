import type { Selectable } from "kysely";
import type { KernelTables } from "../../storage/kernel_tables.ts";
import { sha256Hex } from "./sha256.ts";

/** A row of the audit log. */
export type AuditRow = Readonly<Selectable<KernelTables["kernel_audit"]>>;

/** The objects of a record of deleted contents. */
export const ERASED_OBJECTS = "kernel_audit";

/** The last record of the chain. */
export interface Head {
  readonly id: bigint;
  /** Empty before the first record. */
  readonly hash: string;
}

/** Returns the hash of a record, which covers its content and the hash of the record before it. */
export function chainHash(previous: string, row: Omit<AuditRow, "hash" | "erasedAt">): string {
  // Texts that contain the separator are refused by the database, so that each content has one form.
  const content = `v1\0${previous}\0${row.id}\0${row.createdAt}\0${row.callerId}\0${row.code}\0${row.count}\0` +
    `${row.requestId}\0${row.callerRequestId}\0${row.role}\0${row.keyId}\0${row.address}\0${row.operation}\0` +
    `${row.objects}\0${row.reason}\0${row.changesJSON}`;
  return sha256Hex(content);
}
