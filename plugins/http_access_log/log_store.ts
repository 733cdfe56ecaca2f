import type { Call } from "edgehelm";
import type { HTTPAccessLog } from "./service_http_access_log_pb.ts";

/** A log with what it was not told itself. */
export interface LogEntry {
  readonly log: HTTPAccessLog;
  /** The owner of the site at the time; 0 when it is the installation's, or gone. */
  readonly userId: bigint;
  readonly nodeClusterId: bigint;
}

/** Columns that a keyword can be meant for. */
export type TextColumn = "requestPath" | "proto" | "scheme" | "requestMethod" | "referer";

/** One thing that a keyword asks for. Addresses are in the form of `ipKey`. */
export type Condition =
  | { readonly kind: "ip"; readonly from: string; readonly to: string }
  | { readonly kind: "status"; readonly from: bigint; readonly to: bigint }
  | { readonly kind: "requestId"; readonly requestId: string }
  | { readonly kind: "contains"; readonly column: TextColumn; readonly text: string }
  | { readonly kind: "url"; readonly scheme: string; readonly host: string; readonly uri: string }
  | { readonly kind: "anywhere"; readonly text: string }
  | { readonly kind: "either"; readonly conditions: readonly Condition[] };

/** Which logs a list takes; 0, "" and false stand for any. Bounds are request ids: both ends included. */
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
  /** A host, with * for any text. */
  readonly host: string;
  readonly keyword: Condition | undefined;
}

/** Where a page begins and how long it is. */
export interface LogPage {
  /** The request id beyond which it begins; empty for the beginning. */
  readonly cursor: string;
  readonly oldestFirst: boolean;
  readonly size: bigint;
}

/** Part of a day; a new one begins when the last is full. */
export interface Partition {
  readonly partition: bigint;
  /** The lowest and the highest request id in it. */
  readonly firstId: string;
  readonly lastId: string;
}

/**
 * A place that keeps logs. This plugin has one, in rows of the database; another may keep them in columns, by the same
 * rules: what is appended is there once the transaction commits, and a request id is kept once.
 */
export interface LogStore {
  append(call: Call, entries: readonly LogEntry[]): Promise<void>;
  find(call: Call, requestId: string): Promise<LogEntry | undefined>;
  /** The page in its own direction: newest first, or oldest first. Bodies of requests are left out. */
  list(call: Call, filter: LogFilter, page: LogPage): Promise<LogEntry[]>;
  /** The partitions of a day (YYYYMMDD as a number), ascending. */
  partitions(call: Call, day: bigint): Promise<readonly Partition[]>;
  /** Removes some logs older than a request id; answers how many, fewer than `limit` when none are left. */
  removeOlder(call: Call, requestId: string, limit: number): Promise<number>;
  /** Removes some logs of a user; answers how many. */
  removeOfUser(call: Call, userId: bigint, limit: number): Promise<number>;
}
