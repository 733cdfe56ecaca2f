import type { Call } from "edgehelm";

/** A log as a store takes and gives it; `logFields` tells what it is found by. */
export interface LogEntry {
  readonly requestId: string;
  /** The owner of the site at the time; 0 when it is the installation's, or gone. */
  readonly userId: bigint;
  readonly nodeClusterId: bigint;
  /** HTTPAccessLog as protobuf has it, as it came, without `requestBody` and `node`; `nodeId` is checked. */
  readonly log: Uint8Array;
  /** Empty for most, and in lists that do not ask for it. */
  readonly requestBody: Uint8Array;
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

/** Which logs a list takes; 0, "" and false stand for any. Bounds are request ids of one day: both ends included. */
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
  readonly size: number;
  readonly withBodies: boolean;
}

export interface FoundLogs {
  /** In the page's own direction: newest first, or oldest first. */
  readonly entries: readonly LogEntry[];
  /** Up to where it was searched, when a bound on the scan struck before the page was full or the day at its end. */
  readonly stoppedAt?: string | undefined;
}

/** What a day takes, for retention and budgets. */
export interface StoredDay {
  /** YYYYMMDD as a number, in UTC. */
  readonly day: bigint;
  readonly rows: bigint;
  /** On disk; 0 where the store cannot tell. */
  readonly bytes: bigint;
}

/**
 * A place that keeps logs. All of them keep to the same rules: what is appended is durable when the promise of
 * `append` resolves (a store in the database: when the call's transaction commits), found within one second, and a
 * request id is kept once, the first that came. A day is that of its request ids, in UTC.
 */
export interface LogStore {
  append(call: Call, entries: readonly LogEntry[]): Promise<void>;
  find(call: Call, requestId: string): Promise<LogEntry | undefined>;
  list(call: Call, filter: LogFilter, page: LogPage): Promise<FoundLogs>;
  /** The partitions of a day, ascending; a new one begins when the last is full. */
  partitions(call: Call, day: bigint): Promise<readonly bigint[]>;
  /** The days that are there, ascending. */
  days(call: Call): Promise<readonly StoredDay[]>;
  /** Removes a day, or a piece of it where that takes long; true when nothing of it is left. */
  dropDay(call: Call, day: bigint): Promise<boolean>;
  /** Hides or removes logs of a user, at most `limit` rows at a time; answers how many, fewer than `limit` when none are left. */
  removeOfUser(call: Call, userId: bigint, limit: number): Promise<number>;
}
