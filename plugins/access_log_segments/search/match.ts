import { ANYWHERE_TEXTS } from "../../http_access_log/contract/conditions.ts";
import { type LogFields, logFields } from "../../http_access_log/contract/log_fields.ts";
import type { Condition, LogEntry, LogFilter } from "../../http_access_log/contract/log_store.ts";
import { hostMatcher, lowerAscii } from "./host_pattern.ts";

/** Tests a log against a filter exactly, since indexes only narrow the candidates. The caller checks the partition. */
export class Matcher {
  readonly #filter: LogFilter;
  readonly #matchesHost: ((host: string) => boolean) | undefined;

  constructor(filter: LogFilter) {
    this.#filter = filter;
    this.#matchesHost = filter.host.includes("*") ? hostMatcher(filter.host) : undefined;
  }

  matches({ requestId, userId, nodeClusterId, log }: LogEntry): boolean {
    const filter = this.#filter;
    if (requestId < filter.from || requestId > filter.to) return false;
    if (filter.userId !== 0n && filter.userId !== userId) return false;
    if (filter.nodeClusterId !== 0n && filter.nodeClusterId !== nodeClusterId) return false;
    const fields = logFields(log);
    return this.#hasNumbers(fields) && this.#hasTexts(fields) &&
      (filter.keyword === undefined || meets(filter.keyword, requestId, fields));
  }

  #hasNumbers(fields: LogFields): boolean {
    const filter = this.#filter;
    for (
      const name of ["serverId", "nodeId", "firewallPolicyId", "firewallRuleGroupId", "firewallRuleSetId"] as const
    ) {
      if (filter[name] !== 0n && filter[name] !== fields[name]) return false;
    }
    if (filter.hasFirewallPolicy && fields.firewallPolicyId === 0n) return false;
    return !filter.hasError || fields.status >= 400;
  }

  #hasTexts(fields: LogFields): boolean {
    const { ip, host } = this.#filter;
    if (ip !== undefined && !isWithin(fields.ipKey, ip)) return false;
    if (this.#matchesHost !== undefined) return this.#matchesHost(fields.host);
    return host === "" || fields.host === host;
  }
}

function isWithin(key: string, { from, to }: { from: string; to: string }): boolean {
  return key !== "" && key >= from && key <= to;
}

function meets(condition: Condition, requestId: string, fields: LogFields): boolean {
  switch (condition.kind) {
    case "ip":
      return isWithin(fields.ipKey, condition);
    case "status":
      return fields.status >= condition.from && fields.status <= condition.to;
    case "requestId":
      return requestId === condition.requestId;
    case "contains":
      return contains(fields[condition.column], lowerAscii(condition.text));
    case "url":
      return fields.scheme === condition.scheme && fields.host === condition.host &&
        fields.requestURI === condition.uri;
    case "anywhere": {
      const text = lowerAscii(condition.text);
      return ANYWHERE_TEXTS.some((name) => contains(fields[name], text)) ||
        fields.tags.includes(condition.text) || fields.requestMethod === condition.text.toUpperCase();
    }
    case "anyOf":
      return condition.conditions.some((one) => meets(one, requestId, fields));
  }
}

function contains(value: string, lowered: string): boolean {
  return lowerAscii(value).includes(lowered);
}
