import { addressRange, type AddressSet, complement, network, NO_ADDRESSES, union } from "./addresses.ts";

/** A route as the API sends it: a custom one, which has ranges of addresses. */
export interface Route {
  readonly id: string;
  /** By which records refer to it, such as `id:5`. */
  readonly code: string;
  readonly priority: number;
  readonly order: number;
  /** The ranges as JSON. */
  readonly ranges: string;
}

interface Range {
  readonly type: string;
  readonly params?: {
    readonly isReverse?: boolean;
    readonly ipFrom?: string;
    readonly ipTo?: string;
    readonly cidr?: string;
  };
}

/** Compares two routes: that which wins, if both match a client, comes first. */
export function byPrecedence(a: Route, b: Route): number {
  return b.priority - a.priority || b.order - a.order || Number(BigInt(a.id) - BigInt(b.id));
}

/** Returns the addresses that a route matches. Regions are in no database of this program, and match none. */
export function addressesOf({ ranges }: Route): AddressSet {
  if (ranges === "") return NO_ADDRESSES;
  return union(...(JSON.parse(ranges) as Range[]).map(({ type, params = {} }) => {
    if (type !== "cidr" && type !== "ipRange") return NO_ADDRESSES;
    const found = type === "cidr" ? network(params.cidr ?? "") : addressRange(params.ipFrom ?? "", params.ipTo ?? "");
    return params.isReverse === true ? complement(found) : found;
  }));
}
