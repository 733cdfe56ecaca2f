import { invalid, listField, textField } from "edgehelm";

const MAX_HOSTS = 32;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const IPV4 = /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?!$)|$)){4}$/;
/** What the URL parser would read as something else than part of a host name. */
const NOT_IN_HOST = /[\s/\\:@?#%[\]<>^|]/;

/** A host name in lower case ASCII without a trailing dot; undefined when it is none. */
function asciiHostName(value: string): string | undefined {
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
  if (name === undefined) {
    throw invalid(field, `must be a host name such as ns1.example.com, got "${value.slice(0, 60)}"`);
  }
  return name;
}

/** Checks the names of a cluster's DNS servers. */
export function hostsField(field: string, values: readonly string[]): string[] {
  const hosts = listField(field, values, hostNameField, { max: MAX_HOSTS });
  for (const [index, host] of hosts.entries()) {
    if (hosts.indexOf(host) !== index) throw invalid(`${field}[${index}]`, `"${host}" is listed twice`);
  }
  return hosts;
}

/** Checks an email address; empty means none. */
export function emailField(field: string, value: string): string {
  const email = textField(field, value, { max: 254 });
  const at = email.lastIndexOf("@");
  const isValid = at > 0 && at <= 64 && !/[\s@<>"]/.test(email.slice(0, at)) &&
    asciiHostName(email.slice(at + 1)) !== undefined;
  if (email !== "" && !isValid) {
    throw invalid(field, `must be an email address such as admin@example.com, got "${email.slice(0, 60)}"`);
  }
  return email;
}

/** Checks a time zone; empty means the installation's. */
export function timeZoneField(field: string, value: string): string {
  const zone = textField(field, value, { max: 64 });
  if (zone === "" || (/^[a-z]/i.test(zone) && isKnownZone(zone))) return zone;
  throw invalid(field, `must be a time zone of the IANA database such as Asia/Shanghai, got "${zone}"`);
}

function isKnownZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone });
    return true;
  } catch {
    return false;
  }
}

/** Whether the text is an IPv4 or IPv6 address. */
function isAddress(value: string): boolean {
  return IPV4.test(value) || (/^[0-9a-f:.]*:[0-9a-f:.]*$/i.test(value) && URL.canParse(`http://[${value}]/`));
}

/** Checks an IP address. */
export function addressField(field: string, value: string): void {
  if (!isAddress(value)) throw invalid(field, `must be an IP address, got "${value.slice(0, 60)}"`);
}

/** Checks where to listen: empty means everywhere. */
export function listenHostField(field: string, value: string): void {
  if (value === "" || isAddress(value) || asciiHostName(value) !== undefined) return;
  throw invalid(field, `must be an IP address, a host name or empty, got "${value.slice(0, 60)}"`);
}

/** Checks a whole number against its limits; with `orZero` 0 is allowed too, for the default. */
export function numberField(
  field: string,
  value: number,
  { min, max = 2 ** 31 - 1, orZero = false }: {
    readonly min: number;
    readonly max?: number;
    readonly orZero?: boolean;
  },
): void {
  if ((value >= min && value <= max) || (orZero && value === 0)) return;
  throw invalid(field, `must be ${orZero ? "0 or " : ""}${min} to ${max}, got ${value}`);
}

/** Checks a port. */
export function portField(field: string, value: number, { orZero = false }: { readonly orZero?: boolean } = {}): void {
  numberField(field, value, { min: 1, max: 65535, orZero });
}

/** Checks one port or a range of them. */
export function portRangeField(field: string, value: string): void {
  const [, from, to = from] = /^(\d{1,5})(?:[-:](\d{1,5}))?$/.exec(value) ?? [];
  const isValid = Number(from) >= 1 && Number(to) <= 65535 && Number(from) <= Number(to);
  if (!isValid) {
    throw invalid(field, `must be a port 1 to 65535 or a range such as 8080-8090, got "${value.slice(0, 60)}"`);
  }
}
