import { type Clock, invalid, listField, unixSeconds } from "edgehelm";
import type { KeyAddressRange, KeyRestriction } from "edgehelm/auth";
import { addressRangeField, isInRange } from "edgehelm/fields";
import type { UserAccessKeyRestriction } from "./proto/service_user_access_key_pb.ts";
import type { UserAccessKeyRow } from "./store.ts";

/** A service, or a service and one of its operations. */
const OPERATION = /^[A-Z][A-Za-z0-9]{0,99}(\/[a-z][A-Za-z0-9]{0,99})?$/;
const MAX_ENTRIES = 100;
/** An IPv4 address that is written as IPv6. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** The columns that restrict a key. */
export interface RestrictionColumns {
  readonly expiresAt: bigint;
  /** A JSON array of ranges. */
  readonly addresses: string;
  /** A JSON array of services and operations. */
  readonly operations: string;
  readonly isReadOnly: boolean;
}

export const UNRESTRICTED: RestrictionColumns = { expiresAt: 0n, addresses: "[]", operations: "[]", isReadOnly: false };

/** Checks the restriction in a request. Returns undefined if there is none. */
export function restrictionField(
  clock: Clock,
  restriction: UserAccessKeyRestriction | undefined,
): RestrictionColumns | undefined {
  if (restriction === undefined) return undefined;
  const { expiresAt, isReadOnly } = restriction;
  if (expiresAt !== 0n && expiresAt <= unixSeconds(clock)) {
    throw invalid("restriction.expiresAt", `must be 0 or a future time in unix seconds, got ${expiresAt}`);
  }
  const limits = { max: MAX_ENTRIES, unique: true };
  const rangeText = (field: string, value: string) => rangeOf(field, value).text;
  const addresses = listField("restriction.addresses", restriction.addresses, rangeText, limits);
  const operations = listField("restriction.operations", restriction.operations, operationField, limits);
  return { expiresAt, addresses: JSON.stringify(addresses), operations: JSON.stringify(operations), isReadOnly };
}

/** Returns what tokens of a key are restricted to, or undefined if nothing is. */
export function restrictionOf(row: UserAccessKeyRow): KeyRestriction | undefined {
  const addresses: string[] = JSON.parse(row.addresses);
  const operations: string[] = JSON.parse(row.operations);
  const isReadOnly = row.isReadOnly === 1n;
  if (row.expiresAt === 0n && addresses.length === 0 && operations.length === 0 && !isReadOnly) return undefined;
  const ranges = addresses.map((address) => rangeOf("addresses", address));
  return { expiresAt: row.expiresAt, addresses: ranges, operations, isReadOnly };
}

/** Returns the restriction of a key as a message, or undefined if nothing is restricted. */
export function restrictionMessage(row: UserAccessKeyRow) {
  const restriction = restrictionOf(row);
  return restriction &&
    {
      ...restriction,
      addresses: restriction.addresses.map(({ text }) => text),
      operations: [...restriction.operations],
    };
}

function operationField(field: string, value: string): string {
  const name = value.trim();
  if (OPERATION.test(name)) return name;
  const got = `got "${value.slice(0, 60)}"`;
  throw invalid(
    field,
    `must be a service such as NSDomainService or an operation such as NSDomainService/findNSDomain, ${got}`,
  );
}

/** Returns a range, which also contains IPv4 addresses that are written as IPv6. */
function rangeOf(field: string, value: string): KeyAddressRange {
  const range = addressRangeField(field, value);
  const length = (range.version === 4 ? 32n : 128n) - range.hostBits;
  return {
    text: `${value.trim().toLowerCase().replace(/\/.*/, "")}/${length}`,
    contains: (address) => isInRange(range, address.split("%", 1)[0]!.replace(MAPPED, "$1")),
  };
}
