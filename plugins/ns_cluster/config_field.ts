import { create, type DescMessage, type MessageInitShape, type MessageShape } from "@bufbuild/protobuf";
import { jsonBytes, jsonField } from "edgehelm";
import { DDoSProtectionSchema } from "edgehelm/proto/shapes/ddos_protection_pb.js";
import { ListenBlockSchema } from "edgehelm/proto/shapes/listen_block_pb.js";
import { NSAccessLogRefSchema } from "edgehelm/proto/shapes/ns_access_log_ref_pb.js";
import { NSAnswerSchema } from "edgehelm/proto/shapes/ns_answer_pb.js";
import { NSDoHSchema } from "edgehelm/proto/shapes/ns_doh_pb.js";
import { NSRecursionSchema } from "edgehelm/proto/shapes/ns_recursion_pb.js";
import { NSSOASchema } from "edgehelm/proto/shapes/ns_soa_pb.js";
import type { SSLPolicyRef } from "edgehelm/proto/shapes/ssl_policy_ref_pb.js";
import { ddosProtectionRule } from "../node_base/contract.ts";
import { answerRule, type ConfigRule, dohRule, listenRule, recursionRule, soaRule } from "./config_rules.ts";

/** The JSON columns, which have the same names in requests and responses. */
export const CONFIG_COLUMNS = [
  "accessLogJSON",
  "recursionJSON",
  "tcpJSON",
  "tlsJSON",
  "udpJSON",
  "dohJSON",
  "ddosProtectionJSON",
  "answerJSON",
  "soaJSON",
] as const;
export type ConfigColumn = (typeof CONFIG_COLUMNS)[number];

/** A part of the configuration of a cluster that is sent as JSON. */
export interface ConfigField {
  readonly column: ConfigColumn;
  /** The value of a null column. */
  readonly defaultValue: Uint8Array;
  /**
   * Checks that the bytes are empty or valid JSON.
   *
   * @returns the SSL policy that the JSON references
   */
  check(bytes: Uint8Array): SSLPolicyRef | undefined;
}

function configField<Desc extends DescMessage>(
  column: ConfigColumn,
  shape: Desc,
  defaults: MessageInitShape<Desc>,
  rule: ConfigRule<MessageShape<Desc>> = () => {},
): ConfigField {
  return {
    column,
    defaultValue: jsonBytes(shape, create(shape, defaults)),
    check(bytes) {
      const config = jsonField(column, bytes, shape);
      if (config !== undefined) rule(column, config);
      return (config as { sslPolicyRef?: SSLPolicyRef } | undefined)?.sslPolicyRef;
    },
  };
}

function listenOn(protocol: string, portRange: string) {
  return { protocol, portRange };
}

/** The JSON parts of the configuration of a cluster. */
export const configFields = {
  accessLog: configField("accessLogJSON", NSAccessLogRefSchema, {}),
  recursion: configField("recursionJSON", NSRecursionSchema, {}, recursionRule),
  tcp: configField("tcpJSON", ListenBlockSchema, { isOn: true, listen: [listenOn("tcp", "53")] }, listenRule("tcp")),
  tls: configField("tlsJSON", ListenBlockSchema, { listen: [listenOn("tls", "853")] }, listenRule("tls")),
  udp: configField("udpJSON", ListenBlockSchema, { isOn: true, listen: [listenOn("udp", "53")] }, listenRule("udp")),
  doh: configField("dohJSON", NSDoHSchema, { listen: [listenOn("https", "443")], path: "/dns-query" }, dohRule),
  ddosProtection: configField("ddosProtectionJSON", DDoSProtectionSchema, { tcp: {} }, ddosProtectionRule),
  answer: configField("answerJSON", NSAnswerSchema, { mode: "random", maxSize: 5 }, answerRule),
  soa: configField(
    "soaJSON",
    NSSOASchema,
    { refreshSeconds: 7200, retrySeconds: 3600, expireSeconds: 1209600, minimumTTL: 3600 },
    soaRule,
  ),
} as const;
