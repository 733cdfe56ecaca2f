import type { Generated } from "kysely";
import type { Flag } from "./columns.ts";
import type { TableScope } from "./engine.ts";

/** The kernel's own tables. */
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
  /** Wrong secrets by whose name and from where, as they stood at a time in unix milliseconds. */
  kernel_login_failures: { name: string; failures: number; at: bigint };
  /** Streams of nodes, and the instance that holds each. */
  kernel_node_sessions: { id: string; kind: string; nodeId: bigint; holder: string; openedAt: bigint };
  /** What one instance asks of a node that another one holds, until it is answered or given up. */
  kernel_node_commands: {
    id: Generated<bigint>;
    sessionId: string;
    holder: string;
    code: string;
    dataJSON: Uint8Array;
    expiresAt: bigint;
    /** The answer; null until the node has given it. */
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
