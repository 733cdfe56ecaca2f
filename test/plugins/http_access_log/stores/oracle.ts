import { fromBinary } from "@bufbuild/protobuf";
import { ipKey } from "../../../../plugins/http_access_log/contract/ip_key.ts";
import type {
  Condition,
  LogEntry,
  LogFilter,
  LogPage,
} from "../../../../plugins/http_access_log/contract/log_store.ts";
import {
  type HTTPAccessLog,
  HTTPAccessLogSchema,
} from "../../../../plugins/http_access_log/proto/service_http_access_log_pb.ts";

/** A stored log with its searched fields. */
export interface StoredLog {
  readonly entry: LogEntry;
  readonly log: HTTPAccessLog;
  readonly host: string;
  readonly ipKey: string;
}

/** Computes the expected results of every store by testing every log. */
export class Oracle {
  readonly #byId = new Map<string, StoredLog>();
  #sorted: StoredLog[] | undefined;
  #matching = new WeakMap<LogFilter, readonly LogEntry[]>();

  /** Keeps the first log of each request id. */
  append(entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      if (this.#byId.has(entry.requestId)) continue;
      const log = fromBinary(HTTPAccessLogSchema, entry.log);
      const host = log.host.slice(0, 2000).toLowerCase().replace(/:\d+$/, "");
      this.#byId.set(entry.requestId, { entry, log, host, ipKey: ipKey(log.remoteAddr) ?? "" });
    }
    this.#clearCache();
  }

  remove(test: (stored: StoredLog) => boolean): void {
    for (const [requestId, stored] of this.#byId) if (test(stored)) this.#byId.delete(requestId);
    this.#clearCache();
  }

  #clearCache(): void {
    this.#sorted = undefined;
    this.#matching = new WeakMap();
  }

  find(requestId: string): LogEntry | undefined {
    return this.#byId.get(requestId)?.entry;
  }

  /** All logs in the order of their request ids. */
  get all(): readonly StoredLog[] {
    return this.#sorted ??= [...this.#byId.values()].sort((one, other) =>
      one.entry.requestId < other.entry.requestId ? -1 : 1
    );
  }

  /** Returns the logs that match a filter, in the direction of the page. It ignores partitions, which stores assign. */
  matching(filter: LogFilter, { oldestFirst }: Pick<LogPage, "oldestFirst">): readonly LogEntry[] {
    let found = this.#matching.get(filter);
    if (found === undefined) {
      found = this.all.filter((stored) => matches(stored, filter)).map(({ entry }) => entry);
      this.#matching.set(filter, found);
    }
    return oldestFirst ? found : found.toReversed();
  }
}

function matches({ entry, log, host, ipKey }: StoredLog, filter: LogFilter): boolean {
  const { requestId, userId, nodeClusterId } = entry;
  if (requestId < filter.from || requestId > filter.to) return false;
  const ids = ["serverId", "nodeId", "firewallPolicyId", "firewallRuleGroupId", "firewallRuleSetId"] as const;
  if (ids.some((name) => filter[name] !== 0n && filter[name] !== log[name])) return false;
  if (filter.userId !== 0n && filter.userId !== userId) return false;
  if (filter.nodeClusterId !== 0n && filter.nodeClusterId !== nodeClusterId) return false;
  if (filter.hasFirewallPolicy && log.firewallPolicyId === 0n) return false;
  if (filter.hasError && log.status < 400) return false;
  if (filter.ip !== undefined && (ipKey < filter.ip.from || ipKey > filter.ip.to)) return false;
  if (filter.host !== "" && !hostPattern(filter.host).test(host)) return false;
  return filter.keyword === undefined || meets({ entry, log, host, ipKey }, filter.keyword);
}

function hostPattern(host: string): RegExp {
  const parts = lower(host).split("*").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s");
}

function meets(stored: StoredLog, condition: Condition): boolean {
  const { entry, log, host, ipKey } = stored;
  switch (condition.kind) {
    case "ip":
      return ipKey >= condition.from && ipKey <= condition.to;
    case "status":
      return log.status >= condition.from && log.status <= condition.to;
    case "requestId":
      return entry.requestId === condition.requestId;
    case "contains":
      return contains(log[condition.column], condition.text);
    case "url":
      return log.scheme === condition.scheme && host === condition.host &&
        log.requestURI.slice(0, 2000) === condition.uri;
    case "anywhere": {
      const { text } = condition;
      const { remoteAddr, requestURI, userAgent, tags, requestMethod } = log;
      return [remoteAddr, requestURI, host, userAgent].some((one) => contains(one, text)) || tags.includes(text) ||
        requestMethod === text.toUpperCase();
    }
    case "anyOf":
      return condition.conditions.some((one) => meets(stored, one));
  }
}

/** Returns true if the searched part of a text contains `part`, ignoring the case of ASCII letters only. */
function contains(text: string, part: string): boolean {
  return lower(text.slice(0, 2000)).includes(lower(part));
}

function lower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
