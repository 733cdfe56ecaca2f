import { choiceField, invalid, jsonField, textField } from "edgehelm";
import {
  type OriginStorage,
  OriginStorageSchema,
  type SSLCertRef,
  SSLCertRefSchema,
} from "edgehelm/proto/shapes/origin_pb.js";
import type { NetworkAddress } from "./proto/service_origin_pb.ts";

const PROTOCOLS = ["http", "https", "tcp", "tls", "udp", "unix"] as const;
const HOST = /^[^\s/\\?#@\p{Cc}]+$/u;
const STORAGE_TYPE = /^[\w:.-]{1,64}$/;

/** The address of an origin; all fields are empty for object storage. */
export interface Address {
  readonly protocol: string;
  readonly host: string;
  readonly portRange: string;
}

/** Checks the address of an origin; only object storage may omit it. */
export function addressField(field: string, address: NetworkAddress | undefined, hasStorage: boolean): Address {
  if (address === undefined || (hasStorage && address.host === "")) {
    if (!hasStorage) throw invalid(field, "must not be empty");
    return { protocol: "", host: "", portRange: "" };
  }
  const protocol = choiceField(`${field}.protocol`, address.protocol, PROTOCOLS);
  const host = textField(`${field}.host`, address.host, { min: 1 });
  if (protocol === "unix") return { protocol, host, portRange: "" };
  if (!HOST.test(host)) {
    throw invalid(`${field}.host`, `must be a host name or an IP address, got "${host.slice(0, 60)}"`);
  }
  return { protocol, host, portRange: portRangeField(`${field}.portRange`, address.portRange) };
}

function portRangeField(field: string, value: string): string {
  const [min, max] = portsOf(value);
  if (min >= 1 && max <= 65535 && min <= max) return value.trim();
  throw invalid(field, `must be a port 1 to 65535 or a range such as 8080-8090, got "${value.slice(0, 60)}"`);
}

/** Returns the first and last port of a range, or 0 and 0 if the range is invalid. */
export function portsOf(portRange: string): [min: number, max: number] {
  const [, min = "0", max = min] = /^(\d{1,5})(?:[-:](\d{1,5}))?$/.exec(portRange.trim()) ?? [];
  return [Number(min), Number(max)];
}

/** Checks object storage settings. Returns undefined for empty bytes. */
export function storageJSON(field: string, bytes: Uint8Array): OriginStorage | undefined {
  const storage = jsonField(field, bytes, OriginStorageSchema);
  if (storage !== undefined && storage.type !== "" && !STORAGE_TYPE.test(storage.type)) {
    throw invalid(`${field}.type`, `must be a type such as s3, got "${storage.type.slice(0, 60)}"`);
  }
  return storage;
}

/** Checks a reference to a certificate; it may be 0 if it is turned off. Returns undefined for empty bytes. */
export function certRefJSON(field: string, bytes: Uint8Array): SSLCertRef | undefined {
  const ref = jsonField(field, bytes, SSLCertRefSchema);
  if (ref !== undefined && (ref.certId < 0n || (ref.isOn && ref.certId === 0n))) {
    throw invalid(`${field}.certId`, `must be a positive id, got ${ref.certId}`);
  }
  return ref;
}

/** Checks a domain of an origin: a name, possibly with wildcards, or a regular expression after a tilde. */
export function domainField(field: string, value: string): string {
  return textField(field, value, { min: 1 });
}
