import type { Call } from "edgehelm";

/** A log as stores accept and return it; `logFields` reads the fields that it is searched by. */
export interface LogEntry {
  readonly requestId: string;
  /** The owner of the site when the log arrived; 0 if the site had no user or did not exist. */
  readonly userId: bigint;
  readonly nodeClusterId: bigint;
  /** The encoded HTTPAccessLog as it was received, without `requestBody` and `node`, and with a verified `nodeId`. */
  readonly log: Uint8Array;
  /** Empty if the request had no body or the list did not include bodies. */
  readonly requestBody: Uint8Array;
}

/** The columns that a keyword can name. */
export type TextColumn = "requestPath" | "proto" | "scheme" | "requestMethod" | "referer";

/** A condition on logs, parsed from a keyword. Addresses are in the form of `ipKey`. */
export type Condition =
  | { readonly kind: "ip"; readonly from: string; readonly to: string }
  | { readonly kind: "status"; readonly from: bigint; readonly to: bigint }
  | { readonly kind: "requestId"; readonly requestId: string }
  | { readonly kind: "contains"; readonly column: TextColumn; readonly text: string }
  | { readonly kind: "url"; readonly scheme: string; readonly host: string; readonly uri: string }
  | { readonly kind: "anywhere"; readonly text: string }
  | { readonly kind: "anyOf"; readonly conditions: readonly Condition[] };

/** Selects logs; 0, "" and false match any. `from` and `to` are request ids of one day, both inclusive. */
export interface LogFilter {
  readonly from: string;
  readonly to: string;
  readonly partition: bigint | undefined;
  readonly serverId: bigint;
  readonly userId: bigint;
  readonly nodeId: bigint;
  readonly nodeClusterId: bigint;
  readonly firewallPolicyId: bigint;
  readonly firewallRuleGroupId: bigint;
  readonly firewallRuleSetId: bigint;
  readonly hasFirewallPolicy: boolean;
  readonly hasError: boolean;
  readonly ip: { readonly from: string; readonly to: string } | undefined;
  /** A host, in which * matches any text. */
  readonly host: string;
  readonly keyword: Condition | undefined;
}

/** The position and size of a page. */
export interface LogPage {
  /** The request id after which the page begins; empty for the first page. */
  readonly cursor: string;
  readonly oldestFirst: boolean;
  readonly size: number;
  readonly withBodies: boolean;
}

/** The request ids that remain to be searched: from `from` to `to`, both inclusive, after the cursor. */
export interface SearchRange {
  readonly from: string;
  readonly to: string;
  /** The request id after which the search begins; empty for the beginning of the range. */
  readonly cursor: string;
  readonly oldestFirst: boolean;
}

/** The result of a list. */
export interface FoundLogs {
  /** The logs in the direction of the page: newest first or oldest first. */
  readonly entries: readonly LogEntry[];
  /** The request id that the search reached, if a limit ended it before the page was full or the day was searched. */
  readonly stoppedAt?: string | undefined;
}

/** The size of a day, for retention and disk limits. */
export interface StoredDay {
  /** YYYYMMDD as a number, in UTC. */
  readonly day: bigint;
  readonly rows: bigint;
  /** The size on disk; 0 if the store cannot tell. */
  readonly bytes: bigint;
}

/**
 * Storage for logs. Every store follows the same rules. Appended logs are durable when the promise of `append` resolves
 * (in a database store, when the call's transaction commits) and can be found within one second. Of several logs with
 * the same request id only the first is kept. The UTC time in the request id determines the day of a log.
 */
export interface LogStore {
  append(call: Call, entries: readonly LogEntry[]): Promise<void>;
  find(call: Call, requestId: string): Promise<LogEntry | undefined>;
  list(call: Call, filter: LogFilter, page: LogPage): Promise<FoundLogs>;
  /** Returns the partitions of a day in ascending order; a new one begins when the last is full. */
  partitions(call: Call, day: bigint): Promise<readonly bigint[]>;
  /** Returns the stored days in ascending order. */
  days(call: Call): Promise<readonly StoredDay[]>;
  /** Deletes a day, or a part of it if that would take long; returns true when nothing of it is left. */
  dropDay(call: Call, day: bigint): Promise<boolean>;
  /** Hides or deletes up to `limit` logs of a user; returns their number, which is below `limit` if none are left. */
  removeOfUser(call: Call, userId: bigint, limit: number): Promise<number>;
}
