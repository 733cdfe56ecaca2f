import { defineErrors } from "./errors.ts";

/** A range of IP addresses from which a key may be used. */
export interface KeyAddressRange {
  /** The range in CIDR notation, such as `192.0.2.0/24`. */
  readonly text: string;
  contains(address: string): boolean;
}

/** The uses to which an access key is restricted. Empty lists restrict nothing. */
export interface KeyRestriction {
  /** The time from which the key cannot be used, in unix seconds; 0 means never. */
  readonly expiresAt: bigint;
  /** The ranges of addresses from which the key may be used. */
  readonly addresses: readonly KeyAddressRange[];
  /** The services, such as `DoorService`, and operations, such as `DoorService/open`, that the key may call. */
  readonly operations: readonly string[];
  /** True if the key may only call operations with the effect READ. */
  readonly isReadOnly: boolean;
}

/** The properties of an operation that a restriction concerns. */
interface RestrictedOperation {
  readonly path: string;
  readonly effect: string;
}

/** The errors of calls with keys that are restricted. */
export const keyRestrictionErrors = defineErrors("access_key", {
  expired: ["unauthenticated", (at: string) => `the access key expired at ${at}: no access token can be used for it`],
  address_forbidden: [
    "forbidden",
    (ranges: string, address: string) =>
      `permission denied: the access key may be used from ${ranges} only, not from ${address}`,
  ],
  operation_forbidden: [
    "forbidden",
    (operations: string, path: string) => `permission denied: the access key may call ${operations} only, not ${path}`,
  ],
  read_only: [
    "forbidden",
    (path: string, effect: string) =>
      `permission denied: the access key is read only and may not call ${path}, which has the effect ${effect}`,
  ],
});

/**
 * Refuses an access key that has expired or is used from elsewhere.
 *
 * @param now in unix milliseconds
 * @throws RpcError that names the restriction
 */
export function requireUsableKey(
  { expiresAt, addresses }: KeyRestriction,
  remoteAddress: string | undefined,
  now: number,
): void {
  const expiry = Number(expiresAt) * 1000;
  if (expiry !== 0 && expiry <= now) throw keyRestrictionErrors.expired(new Date(expiry).toISOString());
  if (addresses.length === 0) return;
  if (remoteAddress !== undefined && addresses.some((range) => range.contains(remoteAddress))) return;
  throw keyRestrictionErrors.address_forbidden(
    addresses.map(({ text }) => text).join(", "),
    remoteAddress ?? "an unknown address",
  );
}

/**
 * Refuses a call that the restriction of its access key does not allow.
 *
 * @param now in unix milliseconds
 * @throws RpcError that names the restriction
 */
export function requirePermitted(
  restriction: KeyRestriction,
  { path, effect }: RestrictedOperation,
  remoteAddress: string | undefined,
  now: number,
): void {
  requireUsableKey(restriction, remoteAddress, now);
  const { operations, isReadOnly } = restriction;
  const name = path.slice(1);
  const isListed = operations.length === 0 || operations.includes(name) ||
    operations.includes(name.slice(0, name.indexOf("/")));
  if (!isListed) throw keyRestrictionErrors.operation_forbidden(operations.join(", "), path);
  if (isReadOnly && effect !== "read") throw keyRestrictionErrors.read_only(path, effect.toUpperCase());
}
