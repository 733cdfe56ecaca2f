import { choiceField, idField, invalid, listField, numberField } from "edgehelm";
import { addressField, hostNameField, portField, portRangeField } from "edgehelm/fields";
import type { NetworkAddress } from "edgehelm/proto/shapes/network_address_pb.js";
import type { NSAnswer } from "edgehelm/proto/shapes/ns_answer_pb.js";
import type { NSDoH } from "edgehelm/proto/shapes/ns_doh_pb.js";
import type { DNSHost, NSRecursion } from "edgehelm/proto/shapes/ns_recursion_pb.js";
import type { NSSOA } from "edgehelm/proto/shapes/ns_soa_pb.js";
import type { SSLPolicyRef } from "edgehelm/proto/shapes/ssl_policy_ref_pb.js";
import { emailField, listenHostField } from "./rules.ts";

/** Checks the rules of a configuration that its schema cannot express. */
export type ConfigRule<Config> = (path: string, config: Config) => void;

interface ListenConfig {
  readonly listen: readonly NetworkAddress[];
  readonly sslPolicyRef?: SSLPolicyRef | undefined;
}

export function listenRule(protocol: string): ConfigRule<ListenConfig> {
  return (path, { listen, sslPolicyRef }) => {
    listField(`${path}.listen`, listen, (at, address) => {
      choiceField(`${at}.protocol`, address.protocol, [protocol]);
      listenHostField(`${at}.host`, address.host);
      portRangeField(`${at}.portRange`, address.portRange);
    });
    // A reference that is turned off may be empty.
    if (sslPolicyRef !== undefined && (sslPolicyRef.isOn || sslPolicyRef.sslPolicyId !== 0n)) {
      idField(`${path}.sslPolicyRef.sslPolicyId`, sslPolicyRef.sslPolicyId);
    }
  };
}

const httpsListenRule = listenRule("https");

export function dohRule(path: string, doh: NSDoH): void {
  httpsListenRule(path, doh);
  if (doh.path !== "" && !/^\/[^\s?#]{0,254}$/.test(doh.path)) {
    throw invalid(
      `${path}.path`,
      `must begin with / and contain no white space, ? or #, got "${doh.path.slice(0, 60)}"`,
    );
  }
}

export function recursionRule(path: string, { hosts, allowDomains, denyDomains }: NSRecursion): void {
  listField(`${path}.hosts`, hosts, checkServer);
  listField(`${path}.allowDomains`, allowDomains, hostNameField);
  listField(`${path}.denyDomains`, denyDomains, hostNameField);
}

function checkServer(path: string, { host, port = 0, protocol }: DNSHost): void {
  addressField(`${path}.host`, host);
  portField(`${path}.port`, port, { orZero: true });
  if (protocol !== "") choiceField(`${path}.protocol`, protocol, ["udp", "tcp"]);
}

export function answerRule(path: string, { mode, maxSize = 0 }: NSAnswer): void {
  if (mode !== "") choiceField(`${path}.mode`, mode, ["random", "roundRobin"]);
  numberField(`${path}.maxSize`, maxSize, { min: 1, max: 32767, orZero: true });
}

export function soaRule(path: string, soa: NSSOA): void {
  const { refreshSeconds = 7200, retrySeconds = 3600, expireSeconds = 1209600, minimumTTL = 3600 } = soa;
  if (soa.mName !== "") hostNameField(`${path}.mName`, soa.mName);
  emailField(`${path}.rName`, soa.rName);
  numberField(`${path}.refreshSeconds`, refreshSeconds, { min: 1 });
  numberField(`${path}.retrySeconds`, retrySeconds, { min: 1 });
  numberField(`${path}.expireSeconds`, expireSeconds, { min: 1 });
  numberField(`${path}.minimumTTL`, minimumTTL, { min: 0 });
  if (expireSeconds < refreshSeconds) {
    throw invalid(`${path}.expireSeconds`, `must be at least refreshSeconds, ${refreshSeconds}, got ${expireSeconds}`);
  }
}
