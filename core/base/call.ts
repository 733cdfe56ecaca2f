import type { CallerStanding } from "./caller_standing.ts";
import type { KeyRestriction } from "./key_restriction.ts";
import type { Logger } from "./log.ts";
import type { Metadata } from "./metadata.ts";
import type { OutboundConnection, OutboundInit, OutboundTarget } from "./outbound.ts";

/** A role that an access token can carry. */
export type TokenRole = "admin" | "user" | "dns" | "node" | "report";

/** The rights of an admin. */
export interface AdminAccess {
  /** True for a super admin, who may call every operation and needs no modules. */
  readonly isSuper: boolean;
  /** The codes of the modules that the admin was given. */
  readonly modules: readonly string[];
}

/**
 * The authenticated sender of a call. `system` is the installation itself: its jobs, its command line and its first
 * start.
 */
export type Caller = CallerIdentity & {
  /** The credential of the caller's token, in the plugin `source`; absent without a token. */
  readonly credential?: { readonly source: string; readonly keyId: bigint };
  /** The restriction of the access key that the caller used; absent if there is none. */
  readonly restriction?: KeyRestriction;
  /** The acts that the caller may do at present; absent if there is no limit. */
  readonly standing?: CallerStanding;
};

type CallerIdentity =
  | { readonly role: "admin"; readonly adminId: bigint; readonly access: AdminAccess }
  | { readonly role: "user"; readonly userId: bigint }
  | { readonly role: "dns" | "node" | "report"; readonly nodeId: bigint }
  | { readonly role: "anonymous" }
  | { readonly role: "system" };

/**
 * One request as a plugin sees it: the first argument of every function that does I/O. A contract of another plugin
 * that receives the call joins its transaction.
 *
 * @example
 * ```ts
 * import { type Call, kernelErrors } from "edgehelm";
 *
 * async function verify(call: Call, url: string): Promise<void> {
 *   const response = await call.fetch(url);
 *   if (!response.ok) throw kernelErrors.unavailable(`${url} returned ${response.status}`);
 *   await call.transact((inner) => store.markVerified.run(inner, { url }));
 * }
 * ```
 */
export interface Call {
  readonly caller: Caller;
  /** Identifies the request in logs, audit records and error envelopes. */
  readonly requestId: string;
  /** The IP address of the caller; undefined if the transport does not know it. */
  readonly remoteAddress: string | undefined;
  /** The time at which the caller stops waiting, in unix milliseconds. */
  readonly deadline: number;
  /** Aborts when the caller disconnects or the deadline passes. Created on first access. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** The header fields of the request, and those of the response. Created on first access. */
  readonly metadata: Metadata;
  /** True inside a transaction, where only database I/O is allowed. */
  readonly inTransaction: boolean;
  /**
   * Runs `work` in one write transaction and resolves when the transaction is durable. In a WRITE operation `work`
   * joins the open transaction. In an EXTERNAL operation it gets a transaction of its own; until that ends, only the
   * inner call may be used.
   *
   * @throws the error that `work` throws, after its writes are rolled back
   */
  transact<Result>(work: (call: Call) => Promise<Result>): Promise<Result>;
  /**
   * Sends an HTTP request to another machine, like the global `fetch`, within limits and never to an address that the
   * installation protects: loopback, private, link-local and metadata addresses are refused after the name is resolved,
   * unless `outbound.allow` in the manifest contains them. The connection goes to the address that was checked. Throws
   * inside a transaction.
   *
   * Redirects are followed to addresses that pass the same checks, without a body, never from https to http, and to
   * another origin without the request's own headers, such as Authorization. The body is not decompressed on a machine.
   *
   * @param input an http or https address, without a password
   * @param init the request, and its limits: milliseconds, bytes of the response, number of redirects
   * @returns the response, also one with an error status; reading its body fails if a limit is exceeded
   * @throws RpcError invalid for the field `url`, if the address may not be reached; RpcError unavailable, if it cannot
   *   be reached, exceeds a limit or redirects where it must not; the reason of the signal if that aborts; RangeError for
   *   a limit out of its range
   *
   * @example
   * ```ts
   * const response = await call.fetch("https://pay.example.com/refunds", {
   *   method: "POST",
   *   body: JSON.stringify({ amount: "5.00" }),
   *   headers: { "content-type": "application/json" },
   *   timeoutMilliseconds: 10_000,
   *   maxBytes: 65_536,
   * });
   * ```
   */
  fetch(input: string | URL, init?: OutboundInit): Promise<Response>;
  /**
   * Opens a TCP or TLS connection to another machine, for protocols such as SSH and SMTP, with the same guard as
   * `fetch`. It closes when the call's signal aborts. Workers have no connections. Throws inside a transaction.
   *
   * @param target the peer, and the limits: milliseconds that the connection may last, bytes to receive
   * @throws RpcError invalid for the field `host` or `port`; RpcError unavailable, if the peer cannot be reached or its
   *   certificate is not trusted, and on workers; RangeError for a limit out of its range
   *
   * @example
   * ```ts
   * await using connection = await call.connect({ host: "mail.example.com", port: 465, tls: true });
   * const { value } = await connection.readable.getReader().read();
   * call.log.info("mail server greets", { text: new TextDecoder().decode(value) });
   * ```
   */
  connect(target: OutboundTarget): Promise<OutboundConnection>;
  /**
   * Refuses a host that `fetch` and `connect` would refuse, before it is stored: one that `outbound.hosts` does not
   * contain, or with an internal address that `outbound.allow` does not contain. A name without an address passes, since
   * it may get one, and each connection checks again. Throws inside a transaction.
   *
   * @param field the field of the request that contains the host
   * @param host a host name or an IP address, with or without brackets
   * @throws RpcError invalid for the field
   *
   * @example
   * ```ts
   * await call.requireHost("url", new URL(request.url).hostname);
   * ```
   */
  requireHost(field: string, host: string): Promise<void>;
}

/**
 * Returns the caller's id within its role, or 0 for anonymous and system callers.
 *
 * @example
 * ```ts
 * import { callerId } from "edgehelm";
 *
 * call.log.info("plan deleted", { role: call.caller.role, callerId: callerId(call.caller) });
 * ```
 */
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
    case "anonymous":
    case "system":
      return 0n;
  }
}

/** Returns the caller that an access token identifies, unless it is that of an admin. */
export function tokenCaller(role: Exclude<TokenRole, "admin">, id: bigint): Caller {
  if (role === "user") return { role, userId: id };
  return { role, nodeId: id };
}
