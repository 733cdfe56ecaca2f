import { operatorText } from "../common/operator_texts.ts";
import { type ParamName, partText } from "../common/params.ts";
import type { Rule, Side } from "./policy.ts";

const REQUEST_PARTS: readonly ParamName[] = [
  ...["requestURI", "requestPath", "requestPathExtension", "requestMethod", "scheme", "proto", "host"] as const,
  ...["remoteAddr", "rawRemoteAddr", "remotePort", "remoteUser", "userAgent", "referer", "contentType"] as const,
  ...["args", "arg", "cookies", "cookie", "headers", "header", "requestBody", "requestForm", "requestAll"] as const,
  ...["requestLength", "requestUpload", "geoCountryName", "geoProvinceName", "geoCityName", "ispName"] as const,
  ...["cname", "isCNAME", "cc2"] as const,
];
const RESPONSE_PARTS: readonly ParamName[] = ["status", "responseHeader", "responseBody", "bytesSent"];

/** The parts that rules for requests or for responses compare. */
export const PARTS: Readonly<Record<Side, readonly ParamName[]>> = {
  inbound: REQUEST_PARTS,
  outbound: [...RESPONSE_PARTS, ...REQUEST_PARTS],
};

/** The part that counts requests, which has settings. */
export const COUNTER = "${cc2}";

/** The comparisons that need no value. */
const WITHOUT_VALUE: readonly string[] = [
  ...["contains sql injection", "contains sql injection strictly", "contains xss", "contains xss strictly"],
  "in ip list",
];

/** True if the comparison has a value. */
export function hasValue(operator: string | undefined): boolean {
  return !WITHOUT_VALUE.includes(operator ?? "");
}

/** Describes a rule. */
export function ruleText({ param = "", operator = "", value = "" }: Rule): string {
  return `${partText(param)} ${operatorText(operator)} ${hasValue(operator) ? value : ""}`.trim();
}
