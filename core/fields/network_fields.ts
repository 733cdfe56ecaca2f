import { invalid } from "../base/errors.ts";

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const IPV4 = /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?!$)|$)){4}$/;
const IPV6_SIGNS = /^[0-9a-f:.]*:[0-9a-f:.]*$/i;
/** What the URL parser would read as something else than part of a host name. */
const NOT_IN_HOST = /[\s/\\:@?#%[\]<>^|]/;

/** 4 or 6, as the text is an IPv4 or an IPv6 address; undefined when it is neither. */
export function addressVersion(value: string): 4 | 6 | undefined {
  if (IPV4.test(value)) return 4;
  return IPV6_SIGNS.test(value) && URL.canParse(`http://[${value}]/`) ? 6 : undefined;
}

/** Checks an IP address and answers it in its one spelling: IPv6 in lower case, with the longest run of zeros cut. */
export function addressField(field: string, value: string, version?: 4 | 6): string {
  const given = value.trim();
  const found = addressVersion(given);
  if (found === undefined || (version ?? found) !== found) {
    throw invalid(field, `must be an IP${version === undefined ? "" : `v${version}`} address, got "${shown(value)}"`);
  }
  return found === 4 ? given : new URL(`http://[${given}]/`).hostname.slice(1, -1);
}

/** The same for an address that may stand in brackets, as in a URL. */
export function ipAddressField(field: string, value: string): string {
  return addressField(field, value.trim().replace(/^\[(.*)\]$/, "$1"));
}

/** A host name in lower case ASCII without a trailing dot; undefined when the text is none. */
export function asciiHostName(value: string): string | undefined {
  const given = value.trim().replace(/\.$/, "");
  if (NOT_IN_HOST.test(given) || !URL.canParse(`http://${given}/`)) return undefined;
  const name = new URL(`http://${given}/`).hostname;
  const labels = name.split(".");
  const isValid = name.length <= 253 && labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1)!);
  return isValid ? name : undefined;
}

/** Checks a host name and answers it in lower case ASCII, without a trailing dot. */
export function hostNameField(field: string, value: string): string {
  const name = asciiHostName(value);
  if (name === undefined) throw invalid(field, `must be a host name such as ns1.example.com, got "${shown(value)}"`);
  return name;
}

/** Checks one port or a range of them: `80`, `8080-8090` or `8080:8090`. */
export function portRangeField(field: string, value: string): string {
  const [, from, to = from] = /^(\d{1,5})(?:[-:](\d{1,5}))?$/.exec(value) ?? [];
  if (Number(from) >= 1 && Number(to) <= 65535 && Number(from) <= Number(to)) return value;
  throw invalid(field, `must be a port 1 to 65535 or a range such as 8080-8090, got "${shown(value)}"`);
}

function shown(value: string): string {
  return value.slice(0, 60);
}
