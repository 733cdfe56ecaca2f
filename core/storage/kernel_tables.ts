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
    requestId: string;
    role: string;
    callerId: bigint;
    operation: string;
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
  ]),
};
