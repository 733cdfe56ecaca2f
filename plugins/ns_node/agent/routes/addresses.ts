import { isIP } from "node:net";

/** The addresses from one number to another, both included. */
export interface Interval {
  readonly from: bigint;
  readonly to: bigint;
}

export type Version = 4 | 6;

/** Addresses as intervals in ascending order that do not touch, by version. */
export type AddressSet = Readonly<Record<Version, readonly Interval[]>>;

const BITS = { 4: 32n, 6: 128n } as const;
export const NO_ADDRESSES: AddressSet = { 4: [], 6: [] };

const everything = (version: Version): Interval => ({ from: 0n, to: (1n << BITS[version]) - 1n });

/** Returns the addresses from one to another of the same version; none if they are not addresses. */
export function addressRange(first: string, last: string): AddressSet {
  const version = isIP(first) as Version | 0;
  if (version === 0 || isIP(last) !== version) return NO_ADDRESSES;
  return { ...NO_ADDRESSES, [version]: normal([{ from: numberOf(first), to: numberOf(last) }]) };
}

/** Returns the addresses of a network such as 192.0.2.0/24. */
export function network(text: string): AddressSet {
  const [address = "", length = ""] = text.split("/");
  const version = isIP(address) as Version | 0;
  if (version === 0 || !/^\d{1,3}$/.test(length) || BigInt(length) > BITS[version]) return NO_ADDRESSES;
  const size = 1n << (BITS[version] - BigInt(length));
  const from = numberOf(address) / size * size;
  return { ...NO_ADDRESSES, [version]: [{ from, to: from + size - 1n }] };
}

export function union(...sets: readonly AddressSet[]): AddressSet {
  return { 4: normal(sets.flatMap((set) => set[4])), 6: normal(sets.flatMap((set) => set[6])) };
}

/** Returns the addresses of a set that another one does not have. */
export function without(set: AddressSet, other: AddressSet): AddressSet {
  return { 4: subtracted(set[4], other[4]), 6: subtracted(set[6], other[6]) };
}

/** Returns all addresses, of both versions, that a set does not have. */
export function complement(set: AddressSet): AddressSet {
  return without({ 4: [everything(4)], 6: [everything(6)] }, set);
}

/** Returns the networks that together have exactly the addresses of a set. */
export function networksOf(set: AddressSet): string[] {
  return ([4, 6] as const).flatMap((version) => set[version].flatMap((interval) => split(version, interval)));
}

function normal(intervals: readonly Interval[]): Interval[] {
  const merged: Interval[] = [];
  for (const next of [...intervals].sort((a, b) => a.from < b.from ? -1 : a.from > b.from ? 1 : 0)) {
    const last = merged.at(-1);
    if (next.to < next.from) continue;
    if (last === undefined || next.from > last.to + 1n) merged.push(next);
    else if (next.to > last.to) merged[merged.length - 1] = { from: last.from, to: next.to };
  }
  return merged;
}

function subtracted(intervals: readonly Interval[], others: readonly Interval[]): Interval[] {
  let left = [...intervals];
  for (const other of others) {
    left = left.flatMap(({ from, to }) => {
      if (other.to < from || other.from > to) return [{ from, to }];
      const before = { from, to: other.from - 1n };
      const after = { from: other.to + 1n, to };
      return [before, after].filter((part) => part.from <= part.to);
    });
  }
  return left;
}

function split(version: Version, { from, to }: Interval): string[] {
  const networks: string[] = [];
  for (let at = from; at <= to;) {
    let bits = 0n;
    while (bits < BITS[version]) {
      const size = 1n << (bits + 1n);
      if (at % size !== 0n || at + size - 1n > to) break;
      bits++;
    }
    networks.push(`${textOf(version, at)}/${BITS[version] - bits}`);
    at += 1n << bits;
  }
  return networks;
}

function numberOf(address: string): bigint {
  if (isIP(address) === 4) return address.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  const [head = "", tail] = address.split("%")[0]!.split("::");
  const groupsOf = (text: string | undefined) =>
    (text ?? "").split(":").filter((part) => part !== "").flatMap((part) => {
      if (!part.includes(".")) return [BigInt(`0x${part}`)];
      const number = numberOf(part);
      return [number >> 16n, number & 0xffffn];
    });
  const [before, after] = [groupsOf(head), groupsOf(tail)];
  const groups = [...before, ...Array<bigint>(8 - before.length - after.length).fill(0n), ...after];
  return groups.reduce((sum, group) => (sum << 16n) + group, 0n);
}

function textOf(version: Version, number: bigint): string {
  const [count, bits, radix, mark] = version === 4 ? [4, 8n, 10, "."] as const : [8, 16n, 16, ":"] as const;
  const parts = Array.from(
    { length: count },
    (_, index) => (number >> (bits * BigInt(count - 1 - index))) & (1n << bits) - 1n,
  );
  return parts.map((part) => part.toString(radix)).join(mark);
}
