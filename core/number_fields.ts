import { invalid } from "./errors.ts";

const MAX_INT32 = 2 ** 31 - 1;

/** Checks a whole number against its limits. */
export function numberField(
  field: string,
  value: number,
  { min = 0, max = MAX_INT32 }: { readonly min?: number; readonly max?: number } = {},
): number {
  if (value >= min && value <= max) return value;
  throw invalid(field, `must be ${min} to ${max}, got ${value}`);
}

/** Checks a port. */
export function portField(field: string, value: number): number {
  return numberField(field, value, { min: 1, max: 65535 });
}

/** Checks an id that may be 0 for none, or for all. */
export function idOrNoneField(field: string, value: bigint): bigint {
  if (value < 0n) throw invalid(field, `must not be negative, got ${value}`);
  return value;
}

const IPV4 = /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?!$)|$)){4}$/;
const IPV6 = /^[0-9a-f:.]*:[0-9a-f:.]*$/i;

/** Checks an IP address, IPv4 or IPv6 with or without brackets, and answers it as it is written shortest. */
export function ipAddressField(field: string, value: string): string {
  const address = value.trim().replace(/^\[(.*)\]$/, "$1");
  if (IPV4.test(address)) return address;
  const url = `http://[${address}]/`;
  if (IPV6.test(address) && URL.canParse(url)) return new URL(url).hostname.slice(1, -1);
  throw invalid(field, `must be an IP address, got "${value.slice(0, 60)}"`);
}
