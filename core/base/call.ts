import type { Logger } from "./log.ts";

/** A role that an access token can carry. */
export type TokenRole = "admin" | "user" | "dns" | "node" | "report";

/** Who calls. `system` is the installation itself: its jobs, its command line and its first start. */
export type Caller =
  | { readonly role: "admin"; readonly adminId: bigint }
  | { readonly role: "user"; readonly userId: bigint }
  | { readonly role: "dns" | "node" | "report"; readonly nodeId: bigint }
  | { readonly role: "anonymous" }
  | { readonly role: "system" };

/**
 * One request as a plugin sees it, and the first argument of everything that does I/O. Contracts of other plugins that
 * get it join its transaction.
 */
export interface Call {
  readonly caller: Caller;
  /** Names the request in logs, audit records and error envelopes. */
  readonly requestId: string;
  /** Where the request came from; undefined where its transport cannot know. */
  readonly remoteAddress: string | undefined;
  /** When the caller stops waiting, in unix milliseconds. */
  readonly deadline: number;
  /** Aborts when the caller goes away or the deadline passes. Made when first asked for. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** True inside a transaction, where the only I/O allowed is the database's. */
  readonly inTransaction: boolean;
  /**
   * Runs `work` in one write transaction and resolves when it is durable. In a WRITE operation it joins the
   * transaction that is open; in an EXTERNAL one it opens one, and until it ends only the inner call may be used.
   *
   * @throws whatever `work` throws, after everything it wrote is undone
   */
  transact<Result>(work: (call: Call) => Promise<Result>): Promise<Result>;
  /** Like the global fetch, with the call's signal; throws inside a transaction. */
  fetch(input: string | URL, init?: RequestInit): Promise<Response>;
}

/** The caller's id within its role; 0 where there is none. */
export function callerId(caller: Caller): bigint {
  switch (caller.role) {
    case "admin":
      return caller.adminId;
    case "user":
      return caller.userId;
    case "dns":
    case "node":
    case "report":
      return caller.nodeId;
    default:
      return 0n;
  }
}

/** The caller that a token stands for. */
export function tokenCaller(role: TokenRole, id: bigint): Caller {
  if (role === "admin") return { role, adminId: id };
  if (role === "user") return { role, userId: id };
  return { role, nodeId: id };
}
