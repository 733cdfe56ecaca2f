import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { HTTPFirewallRule } from "edgehelm/proto/shapes/http_firewall_pb.js";

/** The variables that contain no values of headers and no credentials. */
const VISIBLE_VARIABLE = new RegExp(
  "^(" + [
    "(raw)?remote(Addr|Port)|scheme|proto|status|cc2?|cname|isCNAME|isp\\w*|geo\\w*|args?(\\..*)?",
    "request(URI|URL|Path|PathExtension|Method|Length|Upload(\\..*)?)",
  ].join("|") + ")$",
);
/** The names of settings that contain headers or credentials. */
const SECRET_SETTING = /header|cookie|secret|token|passw|key|auth|credential/i;

/** Returns a rule without a value that is compared with a header, and without headers and credentials in settings. */
export function ruleWithoutSecrets<Rule extends Omit<HTTPFirewallRule, "$typeName">>(rule: Rule): Rule {
  return {
    ...rule,
    value: variablesOf(rule.param).every((name) => VISIBLE_VARIABLE.test(name)) ? rule.value : "",
    paramFilters: rule.paramFilters.map(withoutSecretOptions),
    ...(rule.checkpointOptions && { checkpointOptions: withoutSecrets(rule.checkpointOptions) }),
  };
}

/** Returns a filter or an action without headers and credentials in its options. */
export function withoutSecretOptions<Item extends { readonly options?: JsonObject | undefined }>(item: Item): Item {
  return item.options === undefined ? item : { ...item, options: withoutSecrets(item.options) };
}

function variablesOf(param: string): string[] {
  return [...param.matchAll(/\$\{([^{}]*)\}/g)].map(([, name = ""]) => name);
}

function withoutSecrets(settings: JsonObject): JsonObject {
  const visible = Object.entries(settings).filter(([name]) => !SECRET_SETTING.test(name));
  return Object.fromEntries(visible.map(([name, value]) => [name, withoutNestedSecrets(value)]));
}

function withoutNestedSecrets(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutNestedSecrets);
  return typeof value === "object" && value !== null ? withoutSecrets(value) : value;
}
