import type { Generated } from "kysely";
import type { Flag } from "./columns.ts";
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
  /** Failed logins by name and by address. `at`, in unix milliseconds, is when `failures` was computed. */
  kernel_login_failures: { name: string; failures: number; at: bigint };
  /** The streams of nodes, with the instance that holds each. */
  kernel_node_sessions: { id: string; kind: string; nodeId: bigint; holder: string; openedAt: bigint };
  /** The pending commands of instances to nodes whose streams other instances hold. */
  kernel_node_commands: {
    id: Generated<bigint>;
    sessionId: string;
    holder: string;
    code: string;
    dataJSON: Uint8Array;
    expiresAt: bigint;
    /** The response of the node; null until it has arrived. */
    isOk: Flag | null;
    message: string | null;
    replyJSON: Uint8Array | null;
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
    "kernel_login_failures",
    "kernel_node_sessions",
    "kernel_node_commands",
  ]),
};
