import { invalid } from "../base/errors.ts";

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const IPV4 = /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?!$)|$)){4}$/;
const IPV6_CHARACTERS = /^(?=[^:]*:)[0-9a-f:.]*$/i;
/** Matches characters that the URL parser would not treat as part of a host name. */
const NOT_IN_HOST = /[\s/\\:@?#%[\]<>^|]/;

/**
 * Returns the version of an IP address: 4, 6, or undefined if the text is not an address.
 *
 * @example
 * ```ts
 * import { addressVersion } from "edgehelm/fields";
 *
 * addressVersion("2001:db8::1"); // 6
 * ```
 */
export function addressVersion(value: string): 4 | 6 | undefined {
  if (IPV4.test(value)) return 4;
  return IPV6_CHARACTERS.test(value) && URL.canParse(`http://[${value}]/`) ? 6 : undefined;
}

/**
 * Checks an IP address.
 *
 * @param version the required version; either if it is left out
 * @returns the canonical form of the address (RFC 5952 for IPv6; an IPv4-mapped address is written in hexadecimal)
 * @throws RpcError invalid
 *
 * @example
 * ```ts
 * import { addressField } from "edgehelm/fields";
 *
 * const ip = addressField("ip", "2001:DB8:0:0::1"); // "2001:db8::1"
 * ```
 */
export function addressField(field: string, value: string, version?: 4 | 6): string {
  const address = value.trim();
  const found = addressVersion(address);
  if (found === undefined || (version ?? found) !== found) {
    throw invalid(field, `must be an IP${version === undefined ? "" : `v${version}`} address, got "${shorten(value)}"`);
  }
  return found === 4 ? address : new URL(`http://[${address}]/`).hostname.slice(1, -1);
}

/**
 * Checks an IP address that may be in brackets, as in a URL.
 *
 * @returns the canonical form of the address, without brackets
 * @throws RpcError invalid
 *
 * @example
 * ```ts
 * import { ipAddressField } from "edgehelm/fields";
 *
 * const ip = ipAddressField("ip", "[::1]"); // "::1"
 * ```
 */
export function ipAddressField(field: string, value: string): string {
  return addressField(field, value.trim().replace(/^\[(.*)\]$/, "$1"));
}

/**
 * Converts a host name to lower-case ASCII (UTS #46), without a trailing dot.
 *
 * @returns undefined if the text is not a host name
 *
 * @example
 * ```ts
 * import { asciiHostName } from "edgehelm/fields";
 *
 * asciiHostName("Bücher.example."); // "xn--bcher-kva.example"
 * ```
 */
export function asciiHostName(value: string): string | undefined {
  const text = value.trim().replace(/\.$/, "");
  if (NOT_IN_HOST.test(text) || !URL.canParse(`http://${text}/`)) return undefined;
  const name = new URL(`http://${text}/`).hostname;
  const labels = name.split(".");
  const isValid = name.length <= 253 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1)!);
  return isValid ? name : undefined;
}

/**
 * Checks a host name.
 *
 * @returns the name in lower-case ASCII, without a trailing dot
 * @throws RpcError invalid
 *
 * @example
 * ```ts
 * import { hostNameField } from "edgehelm/fields";
 *
 * const host = hostNameField("host", "NS1.example.com."); // "ns1.example.com"
 * ```
 */
export function hostNameField(field: string, value: string): string {
  const name = asciiHostName(value);
  if (name === undefined) throw invalid(field, `must be a host name such as ns1.example.com, got "${shorten(value)}"`);
  return name;
}

/**
 * Checks a port or a range of ports.
 *
 * @param value `80`, `8080-8090` or `8080:8090`
 * @throws RpcError invalid
 *
 * @example
 * ```ts
 * import { portRangeField } from "edgehelm/fields";
 *
 * const portRange = portRangeField("portRange", request.portRange);
 * ```
 */
export function portRangeField(field: string, value: string): string {
  const [, from, to = from] = /^(\d{1,5})(?:[-:](\d{1,5}))?$/.exec(value) ?? [];
  if (Number(from) >= 1 && Number(to) <= 65535 && Number(from) <= Number(to)) return value;
  throw invalid(field, `must be a port 1 to 65535 or a range such as 8080-8090, got "${shorten(value)}"`);
}

function shorten(value: string): string {
  return value.slice(0, 60);
}
