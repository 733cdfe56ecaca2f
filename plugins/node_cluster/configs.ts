import { create } from "@bufbuild/protobuf";
import { invalid, jsonBytes, jsonField, listField, numberField, textField } from "edgehelm";
import { portField } from "edgehelm/fields";
import { DDoSProtectionSchema } from "edgehelm/proto/shapes/ddos_protection_pb.js";
import { ClusterClockSchema, ClusterSSHParamsSchema } from "edgehelm/proto/shapes/node_cluster_pb.js";
import { ddosProtectionRule } from "../node_base/contract.ts";
import { ClusterSystemServicesSchema, GlobalServerConfigSchema } from "./proto/shapes_pb.ts";

/** The columns that hold JSON with operations of their own. */
export type ConfigColumn = "ddosProtectionJSON" | "globalServerConfigJSON" | "systemServicesJSON";

/** The values of columns that are null. */
export const DEFAULTS = {
  clockJSON: jsonBytes(ClusterClockSchema, create(ClusterClockSchema, { autoSync: false })),
  sshParamsJSON: jsonBytes(ClusterSSHParamsSchema, create(ClusterSSHParamsSchema, { port: 0 })),
  ddosProtectionJSON: jsonBytes(DDoSProtectionSchema, create(DDoSProtectionSchema, { tcp: {} })),
  globalServerConfigJSON: jsonBytes(
    GlobalServerConfigSchema,
    create(GlobalServerConfigSchema, { httpAll: {}, tcpAll: {}, httpAccessLog: { isOn: true } }),
  ),
  systemServicesJSON: jsonBytes(ClusterSystemServicesSchema, create(ClusterSystemServicesSchema)),
} as const;

// Each of these functions checks the JSON of a field and returns it, or null for empty bytes, which leave the column
// unchanged.

export function clockField(field: string, bytes: Uint8Array): Uint8Array | null {
  const clock = jsonField(field, bytes, ClusterClockSchema);
  if (clock !== undefined) textField(`${field}.server`, clock.server);
  return clock && bytes || null;
}

export function sshParamsField(field: string, bytes: Uint8Array): Uint8Array | null {
  const params = jsonField(field, bytes, ClusterSSHParamsSchema);
  if (params !== undefined && params.port !== 0) portField(`${field}.port`, params.port);
  return params && bytes || null;
}

export function systemServicesField(field: string, bytes: Uint8Array): Uint8Array | null {
  return jsonField(field, bytes, ClusterSystemServicesSchema) && bytes || null;
}

export function globalServerConfigField(field: string, bytes: Uint8Array): Uint8Array | null {
  const config = jsonField(field, bytes, GlobalServerConfigSchema);
  if (config === undefined) return null;
  const { portRangeMin = 0, portRangeMax = 0, denyPorts = [] } = config.tcpAll ?? {};
  if (portRangeMin !== 0) portField(`${field}.tcpAll.portRangeMin`, portRangeMin);
  if (portRangeMax !== 0) portField(`${field}.tcpAll.portRangeMax`, portRangeMax);
  if (portRangeMax !== 0 && portRangeMax < portRangeMin) {
    throw invalid(
      `${field}.tcpAll.portRangeMax`,
      `must be at least portRangeMin, ${portRangeMin}, got ${portRangeMax}`,
    );
  }
  listField(`${field}.tcpAll.denyPorts`, denyPorts, portField);
  listField(`${field}.httpAll.allowMismatchDomains`, config.httpAll?.allowMismatchDomains ?? [], textField);
  numberField(`${field}.httpAll.xffMaxAddresses`, config.httpAll?.xffMaxAddresses ?? 0);
  return bytes;
}

export function ddosProtectionField(field: string, bytes: Uint8Array): Uint8Array | null {
  const protection = jsonField(field, bytes, DDoSProtectionSchema);
  if (protection === undefined) return null;
  ddosProtectionRule(field, protection);
  return bytes;
}
