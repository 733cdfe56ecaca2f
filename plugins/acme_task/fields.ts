import { choiceField, invalid, textField } from "edgehelm";
import { hostNameField } from "edgehelm/fields";
import { certificateNames } from "./names.ts";
import type { Claimed } from "./ownership.ts";
import type { AuthType } from "./store_tables.ts";

const MAX_URL = 1000;

interface Settings {
  readonly dnsProviderId: bigint;
  readonly dnsDomain: string;
  readonly domains: readonly string[];
  readonly authURL: string;
}

export function authTypeField(value: string): AuthType {
  return choiceField("authType", value, ["dns", "http"]);
}

/** Checks the names of a task, and how they are proved. */
export function claimedFields(userId: bigint, authType: AuthType, settings: Settings): Claimed & { authURL: string } {
  if (settings.dnsProviderId !== 0n) {
    throw invalid("dnsProviderId", "must be 0: names are proved in domains of this installation");
  }
  return {
    userId,
    authType,
    dnsDomain: authType === "dns" ? hostNameField("dnsDomain", settings.dnsDomain) : noDomain(settings.dnsDomain),
    names: certificateNames("domains", settings.domains),
    authURL: urlField("authURL", settings.authURL, authType),
  };
}

function noDomain(value: string): string {
  if (value !== "") throw invalid("dnsDomain", "must be empty if names are proved by http");
  return "";
}

function urlField(field: string, value: string, authType: AuthType): string {
  const url = textField(field, value, { max: MAX_URL });
  if (url === "") return "";
  if (authType === "dns") throw invalid(field, "must be empty if names are proved by DNS records");
  if (URL.canParse(url) && /^https?:\/\//i.test(url)) return url;
  throw invalid(field, `must be an http or https address, got "${url.slice(0, 60)}"`);
}
