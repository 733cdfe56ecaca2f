import { invalid, listField } from "edgehelm";
import type { BuiltInGroup } from "../http_firewall_rule_group/contract.ts";
import type { RuleSetConfig } from "../http_firewall_rule_set/contract.ts";

interface Rule {
  readonly param: string;
  readonly operator: string;
  readonly value?: string;
  readonly isCaseInsensitive?: boolean;
}

function blocking(name: string, ...rules: readonly Rule[]): RuleSetConfig {
  return {
    isOn: true,
    name,
    connector: "or",
    ignoreLocal: true,
    actions: [{ code: "block", options: {} }],
    rules: rules.map((rule) => ({ isOn: true, ...rule })),
  };
}

/** Protection that suits most sites. */
const GROUPS: readonly Omit<BuiltInGroup, "isOn">[] = [
  {
    code: "xss",
    name: "XSS",
    description: "scripts in requests",
    sets: [blocking("scripts", { param: "${requestAll}", operator: "contains xss" })],
  },
  {
    code: "sqlInjection",
    name: "SQL injection",
    description: "SQL in requests",
    sets: [blocking("statements", { param: "${requestAll}", operator: "contains sql injection" })],
  },
  {
    code: "upload",
    name: "Uploads",
    description: "programs in uploaded files",
    sets: [
      blocking("programs", {
        param: "${requestUpload.ext}",
        operator: "match",
        value: "\\.(php|php3|phtml|jsp|jspx|asp|aspx|asa|cer|exe|sh|py|rb|pl|cgi)$",
        isCaseInsensitive: true,
      }),
    ],
  },
  {
    code: "lfi",
    name: "File inclusion",
    description: "paths that leave the site",
    sets: [
      blocking(
        "paths",
        { param: "${requestURI}", operator: "match", value: "(\\.|%2e){2}(/|\\\\|%2f|%5c)", isCaseInsensitive: true },
        { param: "${requestURI}", operator: "contains", value: "/etc/passwd", isCaseInsensitive: true },
      ),
    ],
  },
];

const CODES = GROUPS.map(({ code }) => code);

/** Checks the codes of built-in groups. */
export function codesField(field: string, codes: readonly string[]): string[] {
  return listField(field, codes, (at, code) => {
    if (CODES.includes(code)) return code;
    throw invalid(at, `must be one of ${CODES.join(", ")}, got "${code.slice(0, 60)}"`);
  });
}

/** Returns all built-in groups; those whose code is listed are turned on. */
export function builtInGroups(codesOn: readonly string[]): BuiltInGroup[] {
  return GROUPS.map((group) => ({ ...group, isOn: codesOn.includes(group.code) }));
}
