import { idField, invalid, jsonField, jsonListField, listField, textField, wordField } from "edgehelm";
import type { SizeCapacity } from "edgehelm/proto/models/size_capacity_pb.js";
import { DDoSProtectionSchema } from "edgehelm/proto/shapes/ddos_protection_pb.js";
import { NetworkAddressSchema } from "edgehelm/proto/shapes/network_address_pb.js";
import { CacheDirectorySchema, EdgeNodeSSHLoginSchema } from "./shapes_pb.ts";

const IPV4 = /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?!$)|$)){4}$/;
const MAX_INT = 2 ** 31 - 1;
const SIZE_UNITS = ["byte", "kb", "mb", "gb", "tb", "pb", "eb"] as const;

/** Checks a whole number against its limits. */
export function numberField(field: string, value: number, { min = 0, max = MAX_INT } = {}): number {
  if (value >= min && value <= max) return value;
  throw invalid(field, `must be ${min} to ${max}, got ${value}`);
}

/** Checks an id that may be 0 for none. */
export function idOrNoneField(field: string, value: bigint): bigint {
  if (value < 0n) throw invalid(field, `must not be negative, got ${value}`);
  return value;
}

/** Checks a filter that is 0 for all, 1 for yes and 2 for no. */
export function stateField(field: string, value: number): number {
  return numberField(field, value, { max: 2 });
}

function pathField(field: string, value: string): string {
  const path = textField(field, value);
  if (path === "" || (path.startsWith("/") && !path.split("/").includes(".."))) return path;
  throw invalid(field, `must be an absolute path without .., got "${path.slice(0, 60)}"`);
}

/** The path of a directory; empty means the default. */
export const directoryField = pathField;

/** A capacity as the table keeps it; empty when there is none. */
export function capacityField(field: string, capacity: SizeCapacity | undefined): string {
  if (capacity === undefined) return "";
  const unit = wordField(`${field}.unit`, capacity.unit, SIZE_UNITS);
  return JSON.stringify({ count: Number(capacity.count), unit });
}

/** Null for empty bytes, which leave the directories. */
export function cacheDirectoriesField(field: string, bytes: Uint8Array): Uint8Array | null {
  const directories = jsonListField(field, bytes, CacheDirectorySchema);
  if (directories === undefined) return null;
  listField(field, directories, (at, { path, capacity }) => {
    if (pathField(`${at}.path`, path) === "") throw invalid(`${at}.path`, "must not be empty");
    if (capacity !== undefined) wordField(`${at}.capacity.unit`, capacity.unit, SIZE_UNITS);
  }, { max: 100 });
  return bytes;
}

/** Null for no addresses, which mean the usual ones. */
export function apiAddressesField(field: string, bytes: Uint8Array): Uint8Array | null {
  const addresses = jsonListField(field, bytes, NetworkAddressSchema) ?? [];
  listField(field, addresses, (at, { protocol, host, portRange }) => {
    wordField(`${at}.protocol`, protocol, ["http", "https"]);
    textField(`${at}.host`, host, { min: 1 });
    numberField(`${at}.portRange`, /^\d{1,5}$/.test(portRange) ? Number(portRange) : -1, { min: 1, max: 65535 });
  }, { max: 100 });
  return addresses.length === 0 ? null : bytes;
}

/** The least that a limit may be, so that it does not lock out everybody; 0 stands for the default. */
const LEAST_LIMITS = {
  maxConnections: 1,
  maxConnectionsPerIP: 5,
  newConnectionsRate: 3,
  newConnectionsRateBlockTimeout: 0,
  newConnectionsSecondlyRate: 3,
  newConnectionsSecondlyRateBlockTimeout: 0,
} as const;

/** Null for empty bytes, which leave the protection. */
export function ddosProtectionField(field: string, bytes: Uint8Array): Uint8Array | null {
  const tcp = jsonField(field, bytes, DDoSProtectionSchema)?.tcp;
  for (const [limit, min] of Object.entries(LEAST_LIMITS)) {
    const value = tcp?.[limit as keyof typeof LEAST_LIMITS] ?? 0;
    if (value !== 0) numberField(`${field}.tcp.${limit}`, value, { min });
  }
  listField(`${field}.tcp.allowIPList`, tcp?.allowIPList ?? [], (at, { ip }) => {
    const isIPv6 = /^[0-9a-f:.]*:[0-9a-f:.]*$/i.test(ip) && URL.canParse(`http://[${ip}]/`);
    if (!IPV4.test(ip) && !isIPv6) throw invalid(`${at}.ip`, `must be an IP address, got "${ip.slice(0, 60)}"`);
  });
  listField(`${field}.tcp.ports`, tcp?.ports ?? [], (at, { port }) => {
    numberField(`${at}.port`, port, { min: 1, max: 65535 });
  });
  return bytes.length === 0 ? null : bytes;
}

/** Checks how to log in to a machine. */
export function loginField(field: string, login: { name: string; type: string; params: Uint8Array }) {
  const params = jsonField(`${field}.params`, login.params, EdgeNodeSSHLoginSchema);
  const { host = "", port = 0, grantId = 0n } = params ?? {};
  return {
    name: textField(`${field}.name`, login.name),
    type: wordField(`${field}.type`, login.type, ["ssh"]),
    host: textField(`${field}.params.host`, host),
    port: numberField(`${field}.params.port`, port, { max: 65535 }),
    grantId: idOrNoneField(`${field}.params.grantId`, grantId),
  };
}

/** Checks ids of clusters besides the one a node belongs to. */
export function furtherClustersField(field: string, values: readonly bigint[], primary: bigint): bigint[] {
  const ids = listField(field, values, idField, { max: 100 });
  for (const [index, id] of ids.entries()) {
    if (id === primary) throw invalid(`${field}[${index}]`, `node cluster ${id} is the one the node belongs to`);
    if (ids.indexOf(id) !== index) throw invalid(`${field}[${index}]`, `node cluster ${id} is listed twice`);
  }
  return ids;
}
