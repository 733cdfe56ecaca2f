import { choiceField, idField, invalid, jsonField, listField, textField } from "edgehelm";
import { noneField, portField } from "edgehelm/fields";
import { jsonListField } from "edgehelm/wire";
import { ListenBlockSchema } from "edgehelm/proto/shapes/listen_block_pb.js";
import { type NetworkAddress, NetworkAddressSchema } from "edgehelm/proto/shapes/network_address_pb.js";

const MAX_ADDRESSES = 100;
const SCHEMES = ["http", "https"] as const;

/** Checks the addresses on which an API node listens. Returns null for empty bytes. */
export function listenField(field: string, bytes: Uint8Array, scheme: "http" | "https"): Uint8Array | null {
  const block = jsonField(field, bytes, ListenBlockSchema);
  if (block === undefined) return null;
  listField(`${field}.listen`, block.listen, (at, address) => addressField(at, address, [scheme]), {
    max: MAX_ADDRESSES,
  });
  const { sslPolicyRef } = block;
  if (sslPolicyRef !== undefined) {
    const at = `${field}.sslPolicyRef.sslPolicyId`;
    // A reference that is turned off may be empty.
    noneField(at, sslPolicyRef.isOn ? idField(at, sslPolicyRef.sslPolicyId) : sslPolicyRef.sslPolicyId);
  }
  return bytes;
}

/** Checks the addresses at which nodes and consoles reach an API node. Returns null for empty bytes. */
export function accessField(field: string, bytes: Uint8Array): Uint8Array | null {
  const addresses = jsonListField(field, bytes, NetworkAddressSchema);
  if (addresses === undefined) return null;
  listField(field, addresses, (at, address) => {
    addressField(at, address, SCHEMES);
    if (address.host.trim() === "") throw invalid(`${at}.host`, "must not be empty");
  }, { max: MAX_ADDRESSES });
  return bytes;
}

/** Returns addresses as URLs. */
export function addressURLs(bytes: Uint8Array | null): string[] {
  const addresses = bytes === null ? [] : jsonListField("accessAddrsJSON", bytes, NetworkAddressSchema) ?? [];
  return addresses.map(({ protocol, host, portRange }) => {
    const isIPv6 = host.includes(":") && !host.startsWith("[");
    return `${protocol}://${isIPv6 ? `[${host}]` : host}:${portRange}`;
  });
}

function addressField(field: string, address: NetworkAddress, schemes: readonly string[]): void {
  choiceField(`${field}.protocol`, address.protocol, schemes);
  if (/[\s/?#@]/.test(textField(`${field}.host`, address.host))) {
    throw invalid(`${field}.host`, `must be an IP address or a host name, got "${address.host.slice(0, 60)}"`);
  }
  portField(`${field}.portRange`, /^\d{1,5}$/.test(address.portRange) ? Number(address.portRange) : NaN);
}
