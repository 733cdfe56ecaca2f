import {
  addressVersion,
  asciiHostName,
  idField,
  invalid,
  jsonBytes,
  jsonField,
  jsonListField,
  listField,
  portField,
  portRangeField,
  textField,
  versionCode,
  wordField,
} from "edgehelm";
import { type NetworkAddress, NetworkAddressSchema } from "edgehelm/proto/shapes/network_address_pb.js";
import { type NodeStatus, NodeStatusSchema } from "edgehelm/proto/shapes/node_status_pb.js";
import { SSHLoginSchema } from "edgehelm/proto/shapes/ssh_login_pb.js";
import type { NSNodeRow } from "./store.ts";

/** A node that was silent for longer is not active. */
export const SILENT_SECONDS = 60n;
const MOST_ADDRESSES = 100;
const STATUS_BYTES = 64 * 1024;

/** Whether a node is active: it says so, and said it lately. */
export function isActive(row: NSNodeRow, now: bigint): boolean {
  return row.isActive === 1n && row.statusIsActive === 1n && row.statusUpdatedAt >= now - SILENT_SECONDS;
}

/** What a request says of a login. */
export interface LoginFields {
  readonly name: string;
  readonly type: string;
  readonly params: Uint8Array;
}

/** Checks a login. Host, port and grant may be missing: the installation tells which it needs. */
export function loginField(field: string, { name, type, params }: LoginFields) {
  wordField(`${field}.type`, type || "ssh", ["ssh"]);
  const login = jsonField(`${field}.params`, params, SSHLoginSchema) ?? { host: "", port: 0, grantId: 0n };
  const { host, port, grantId } = login;
  if (host !== "" && addressVersion(host) === undefined && asciiHostName(host) === undefined) {
    throw invalid(`${field}.params.host`, `must be a host name or an IP address, got "${host.slice(0, 60)}"`);
  }
  portField(`${field}.params.port`, port, { orZero: true });
  if (grantId !== 0n) idField(`${field}.params.grantId`, grantId);
  const kept = jsonBytes(SSHLoginSchema, { $typeName: SSHLoginSchema.typeName, host, port, grantId });
  return { name: textField(`${field}.name`, name), type: "ssh", params: kept, grantId };
}

/** Checks a list of API addresses. */
export function apiAddressesField(field: string, bytes: Uint8Array): boolean {
  const addresses = jsonListField(field, bytes, NetworkAddressSchema);
  if (addresses === undefined) return false;
  listField(field, addresses, checkAddress, { max: MOST_ADDRESSES });
  return addresses.length > 0;
}

function checkAddress(field: string, { protocol, host, portRange }: NetworkAddress): void {
  wordField(`${field}.protocol`, protocol, ["http", "https"]);
  if (addressVersion(host) === undefined && asciiHostName(host) === undefined) {
    throw invalid(`${field}.host`, `must be a host name or an IP address, got "${host.slice(0, 60)}"`);
  }
  portRangeField(`${field}.portRange`, portRange);
}

/** Checks what a node reports; the time is ours, whatever the node's clock says. */
export function statusField(field: string, bytes: Uint8Array, now: bigint) {
  if (bytes.length > STATUS_BYTES) throw invalid(field, `must have at most ${STATUS_BYTES} bytes`);
  const status: NodeStatus | undefined = jsonField(field, bytes, NodeStatusSchema);
  if (status === undefined) throw invalid(field, "must not be empty");
  const kept = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
  return {
    statusJSON: new TextEncoder().encode(JSON.stringify({ ...kept, updatedAt: Number(now) })),
    statusUpdatedAt: now,
    isActive: status.isActive,
    os: textField(`${field}.os`, status.os),
    arch: textField(`${field}.arch`, status.arch),
    buildVersionCode: versionCode(status.buildVersion),
  };
}
