import { choiceField, invalid, jsonField, listField, textField } from "edgehelm";
import {
  type HTTPFirewallRule,
  type HTTPFirewallSetConfig,
  HTTPFirewallSetConfigSchema,
} from "edgehelm/proto/shapes/http_firewall_pb.js";

const MAX_RULES = 500;
const CONNECTORS = ["and", "or"] as const;

/** The comparison operators of nodes. */
const OPERATORS = [
  ...["gt", "gte", "lt", "lte", "eq", "neq", "eq string", "neq string"],
  ...["match", "not match", "wildcard match", "wildcard not match", "prefix", "suffix", "has key"],
  ...["contains", "not contains", "contains any", "contains all", "contains any word", "contains all words"],
  ...["not contains any", "not contains any word", "contains binary", "not contains binary"],
  ...["contains sql injection", "contains sql injection strictly", "contains xss", "contains xss strictly"],
  ...["version gt", "version lt", "version range"],
  ...["eq ip", "in ip list", "gt ip", "gte ip", "lt ip", "lte ip", "ip range", "not ip range"],
  ...["ip mod", "ip mod 10", "ip mod 100"],
];
/** The actions on requests that match. */
const ACTIONS = [
  ...["log", "block", "captcha", "js_cookie", "notify", "get_302", "post_307", "record_ip", "tag", "page"],
  ...["redirect", "allow", "go_group", "go_set"],
];
/** Operators that ignore the value or work with an empty one; with an empty value, the others would match everything. */
const WITHOUT_VALUE = /^(contains (sql injection|xss).*|n?eq( string)?|in ip list)$/;
const MAX_VALUE_LENGTH = 65_536;

/** Checks a set in a JSON field, and returns it normalized. */
export function ruleSetField(field: string, bytes: Uint8Array): HTTPFirewallSetConfig {
  const set = jsonField(field, bytes, HTTPFirewallSetConfigSchema);
  if (set === undefined) throw invalid(field, "must not be empty");
  if (set.id < 0n) throw invalid(`${field}.id`, `must not be negative, got ${set.id}`);
  if (set.connector !== "") choiceField(`${field}.connector`, set.connector, CONNECTORS);
  listField(`${field}.rules`, set.rules, checkRule, { max: MAX_RULES });
  listField(`${field}.actions`, set.actions, (at, { code }) => choiceField(`${at}.code`, code, ACTIONS), { max: 50 });
  return {
    ...set,
    name: textField(`${field}.name`, set.name, { min: 1 }),
    code: textField(`${field}.code`, set.code, { max: 100 }),
    description: textField(`${field}.description`, set.description, { max: 1000 }),
    connector: set.connector === "" ? "or" : set.connector,
  };
}

function checkRule(path: string, rule: HTTPFirewallRule): void {
  if (rule.id < 0n) throw invalid(`${path}.id`, `must not be negative, got ${rule.id}`);
  textField(`${path}.param`, rule.param, { min: 1, max: 1000 });
  if (!/\$\{[^{}]+\}/.test(rule.param)) {
    throw invalid(`${path}.param`, `must contain a variable such as \${requestURI}, got "${rule.param.slice(0, 60)}"`);
  }
  choiceField(`${path}.operator`, rule.operator, OPERATORS);
  textField(`${path}.value`, rule.value, { min: WITHOUT_VALUE.test(rule.operator) ? 0 : 1, max: MAX_VALUE_LENGTH });
  textField(`${path}.description`, rule.description, { max: 1000 });
  listField(`${path}.paramFilters`, rule.paramFilters, (at, { code }) => textField(`${at}.code`, code, { min: 1 }));
}
