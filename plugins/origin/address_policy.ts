import { type Call, invalid, mayAccessOwner } from "edgehelm";
import {
  type AddressRange,
  addressRangeField,
  addressVersion,
  embeddedIn,
  internalAddress,
  isInRange,
} from "edgehelm/fields";
import type { OriginStorage } from "edgehelm/proto/shapes/origin_pb.js";
import type { Address } from "./rules.ts";

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** The top-level labels of names that only a machine or its local network can resolve. */
const INTERNAL_LABELS = ["localhost", "localdomain", "local", "internal"];
/** The options of object storage that name a server. */
const SERVER_OPTION = /endpoint|host|url|addr|domain|server/i;

/**
 * Decides which addresses users may have nodes connect to: those of the public internet, and the ranges that the
 * installation allows. Host names are judged by their text, because only nodes resolve them.
 */
export class AddressPolicy {
  readonly #allowed: readonly AddressRange[];

  constructor(allowedRanges: readonly string[]) {
    this.#allowed = allowedRanges.map((range, index) => addressRangeField(`allowedRanges[${index}]`, range));
  }

  /** Refuses an address that the caller may not have nodes connect to; one that is unchanged may stay. */
  requireAddress(call: Call, field: string, address: Address, current: Partial<Address>): void {
    if (isUnlimited(call) || address.protocol === "") return;
    if (address.protocol === current.protocol && address.host === current.host) return;
    if (address.protocol === "unix") {
      throw invalid(`${field}.protocol`, 'must not be "unix": sockets of nodes are for admins');
    }
    this.#requireHost(`${field}.host`, address.host);
  }

  /** Refuses object storage with a server that the caller may not have nodes connect to. */
  requireStorage(call: Call, field: string, storage: OriginStorage | undefined): void {
    if (isUnlimited(call) || storage === undefined) return;
    for (const [path, value] of textsIn(`${field}.options`, storage.options ?? {})) {
      const isServer = value.includes("://") || SERVER_OPTION.test(path.slice(field.length));
      if (isServer && value.trim() !== "") this.#requireHost(path, serverOf(value));
    }
  }

  #requireHost(field: string, text: string): void {
    const error = this.#errorOf(text.trim().replace(/^\[(.*)\]$/, "$1").replace(/\.$/, ""));
    if (error === undefined) return;
    throw invalid(
      field,
      `"${text.slice(0, 60)}" ${error}; users may use host names and addresses of the public internet`,
    );
  }

  #errorOf(host: string): string | undefined {
    if (addressVersion(host) !== undefined) return this.#isAllowed(host) ? undefined : `is ${internalAddress(host)}`;
    const name = host.includes(":") ? "" : URL.parse(`http://${host}/`)?.hostname ?? "";
    if (addressVersion(name) === 4) return `is an unusual spelling of ${name}`;
    const labels = name.split(".");
    if (!labels.every((label) => LABEL.test(label))) return "is not a host name or an IP address";
    const isInternal = labels.length === 1 || INTERNAL_LABELS.includes(labels.at(-1)!);
    return isInternal ? "is a name that only the node itself or its local network can resolve" : undefined;
  }

  #isAllowed(address: string): boolean {
    const addresses = [address, embeddedIn(address) ?? address];
    return internalAddress(address) === undefined ||
      addresses.some((one) => this.#allowed.some((range) => isInRange(range, one)));
  }
}

function isUnlimited(call: Call): boolean {
  return mayAccessOwner(call.caller, 0n);
}

/** Returns all texts in a JSON value with their paths. */
function textsIn(path: string, value: unknown): [path: string, text: string][] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => textsIn(`${path}.${key}`, item));
}

/** Returns the host in a URL, or in a host with an optional port. */
function serverOf(value: string): string {
  const authority = value.trim().replace(/^[a-z][a-z0-9+.-]*:\/\//i, "").split(/[/\\?#]/)[0]!.split("@").at(-1)!;
  return addressVersion(authority) === 6 ? authority : authority.replace(/:\d*$/, "");
}
