import type { Generated } from "kysely";
import type { TableScope } from "./engine.ts";

/** The tables of the kernel. */
export interface KernelTables {
  kernel_settings: { name: string; value: string };
  kernel_signing_keys: {
    kid: string;
    publicJwk: string;
    sealedPrivateJwk: string;
    createdAt: bigint;
    retiredAt: bigint;
  };
  kernel_idempotency: {
    caller: string;
    operation: string;
    key: string;
    fingerprint: string;
    response: string | null;
    createdAt: bigint;
  };
  kernel_audit: {
    id: Generated<bigint>;
    createdAt: bigint;
    /** The id that this installation gave the request. */
    requestId: string;
    /** The id that the client chose; empty if it chose none. */
    callerRequestId: string;
    role: string;
    callerId: bigint;
    /** The credential of the token: the plugin that stores it, and its id there. */
    keyId: string;
    address: string;
    operation: string;
    /** The rows that the call changed or showed, such as `nsDomains/7`, separated by spaces. */
    objects: string;
    /** The rows before and after, as a JSON list; empty if none are known. */
    changesJSON: string;
    code: bigint;
    /** The reason of an error; empty after a success. */
    reason: string;
    /** The number of calls that the record sums up. */
    count: bigint;
    /** Covers the record and the hash before it. Empty in records of releases without a chain. */
    hash: string;
    /** The time at which the content was deleted, in unix seconds; 0 if it is there. */
    erasedAt: Generated<bigint>;
  };
  /** Times are unix milliseconds. */
  kernel_leases: { name: string; holder: string; expiresAt: bigint; dueAt: Generated<bigint> };
  /** The last recorded run of each job. Times are unix milliseconds. */
  kernel_job_runs: { name: string; startedAt: bigint; endedAt: bigint; error: string | null; failures: bigint };
  /** The instances on a shared database. Times are unix milliseconds. */
  kernel_instances: { id: string; startedAt: bigint; seenAt: bigint; version: string; runtime: string };
  /** Failed logins by name and by address. `at`, in unix milliseconds, is when `failures` was computed. */
  kernel_login_failures: { name: string; failures: number; at: bigint };
  /** The holders whose tokens have ended, with the revocation epoch of the end. `endedAt` is in unix seconds. */
  kernel_ended_tokens: { holder: string; epoch: bigint; endedAt: bigint };
  /** The migrations that have run, of the kernel and of plugins. */
  kernel_migration_hashes: { owner: string; name: string; hash: string };
  /** The backups on a schedule, with the last check of each. Times are unix milliseconds. */
  kernel_backups: {
    name: string;
    madeAt: bigint;
    bytes: bigint;
    rows: bigint;
    /** Null before the first check. */
    checkedAt: bigint | null;
    /** The reason why the last check failed; null if it did not. */
    checkError: string | null;
  };
  /** Events that plugins emitted. `createdAt` is in unix seconds. */
  kernel_events: { id: Generated<bigint>; createdAt: bigint; name: string; userId: bigint; dataJSON: string };
  /** The place of each listener in the events, and its failures with the next one. `retryAt` is in unix seconds. */
  kernel_event_cursors: { listener: string; eventId: bigint; failures: bigint; retryAt: bigint; error: string };
  /** Events that an instance without their kind left to others, for each listener. `retryAt` is in unix seconds. */
  kernel_deferred_events: { listener: string; eventId: bigint; failures: bigint; retryAt: bigint; error: string };
  /**
   * The alarms that have begun. `machine` is the one that found it; empty for alarms of the whole installation. Times
   * are unix seconds.
   */
  kernel_alarms: {
    name: string;
    subject: string;
    machine: string;
    beganAt: bigint;
    seenAt: bigint;
    dataJSON: string;
  };
}

export const KERNEL_SCOPE: TableScope = {
  owner: "kernel",
  tables: new Set([
    "kernel_settings",
    "kernel_signing_keys",
    "kernel_idempotency",
    "kernel_audit",
    "kernel_leases",
    "kernel_job_runs",
    "kernel_instances",
    "kernel_login_failures",
    "kernel_ended_tokens",
    "kernel_migration_hashes",
    "kernel_backups",
    "kernel_events",
    "kernel_event_cursors",
    "kernel_deferred_events",
    "kernel_alarms",
  ]),
  smallTables: new Map([
    ["kernel_signing_keys", 100],
    ["kernel_instances", 1000],
    ["kernel_event_cursors", 1000],
    ["kernel_leases", 1000],
    ["kernel_job_runs", 1000],
    ["kernel_backups", 10_000],
  ]),
};
