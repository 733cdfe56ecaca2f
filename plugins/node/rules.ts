import {
  idField,
  idOrNoneField,
  invalid,
  jsonField,
  jsonListField,
  listField,
  numberField,
  textField,
  wordField,
} from "edgehelm";
import type { SizeCapacity } from "edgehelm/proto/models/size_capacity_pb.js";
import { NetworkAddressSchema } from "edgehelm/proto/shapes/network_address_pb.js";
import { CacheDirectorySchema, EdgeNodeSSHLoginSchema } from "./shapes_pb.ts";

const SIZE_UNITS = ["byte", "kb", "mb", "gb", "tb", "pb", "eb"] as const;

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
