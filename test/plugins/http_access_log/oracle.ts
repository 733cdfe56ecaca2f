import { fromBinary } from "@bufbuild/protobuf";
import { ipKey } from "../../../plugins/http_access_log/ip_key.ts";
import type { Condition, LogEntry, LogFilter, LogPage } from "../../../plugins/http_access_log/log_store.ts";
import {
  type HTTPAccessLog,
  HTTPAccessLogSchema,
} from "../../../plugins/http_access_log/proto/service_http_access_log_pb.ts";

/** A kept log with what it is found by, read the plain way. */
export interface KnownLog {
  readonly entry: LogEntry;
  readonly log: HTTPAccessLog;
  readonly host: string;
  readonly ipKey: string;
}

/** What every store must answer, by looking at everything. */
export class Oracle {
  readonly #byId = new Map<string, KnownLog>();
  #sorted: KnownLog[] | undefined;
  #matching = new WeakMap<LogFilter, readonly LogEntry[]>();

  /** The first that came of a request is kept. */
  append(entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      if (this.#byId.has(entry.requestId)) continue;
      const log = fromBinary(HTTPAccessLogSchema, entry.log);
      const host = log.host.slice(0, 2000).toLowerCase().replace(/:\d+$/, "");
      this.#byId.set(entry.requestId, { entry, log, host, ipKey: ipKey(log.remoteAddr) ?? "" });
    }
    this.#forget();
  }

  remove(test: (known: KnownLog) => boolean): void {
    for (const [requestId, known] of this.#byId) if (test(known)) this.#byId.delete(requestId);
    this.#forget();
  }

  #forget(): void {
    this.#sorted = undefined;
    this.#matching = new WeakMap();
  }

  find(requestId: string): LogEntry | undefined {
    return this.#byId.get(requestId)?.entry;
  }

  /** All, by their request ids. */
  get all(): readonly KnownLog[] {
    return this.#sorted ??= [...this.#byId.values()].sort((one, other) =>
      one.entry.requestId < other.entry.requestId ? -1 : 1
    );
  }

  /** What a filter leaves, in the direction of the page; partitions are the stores' own affair. */
  matching(filter: LogFilter, { oldestFirst }: Pick<LogPage, "oldestFirst">): readonly LogEntry[] {
    let found = this.#matching.get(filter);
    if (found === undefined) {
      found = this.all.filter((known) => matches(known, filter)).map(({ entry }) => entry);
      this.#matching.set(filter, found);
    }
    return oldestFirst ? found : found.toReversed();
  }
}

function matches({ entry, log, host, ipKey }: KnownLog, filter: LogFilter): boolean {
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

function meets(known: KnownLog, condition: Condition): boolean {
  const { entry, log, host, ipKey } = known;
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
    case "either":
      return condition.conditions.some((one) => meets(known, one));
  }
}

/** Whether the searched part of a text contains another; only the case of ASCII letters does not matter. */
function contains(text: string, part: string): boolean {
  return lower(text.slice(0, 2000)).includes(lower(part));
}

function lower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
