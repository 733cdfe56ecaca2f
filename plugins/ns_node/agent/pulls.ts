import type { DeletedRow, HeadRow, RowChange } from "./store/zone_file.ts";
import type { NSZoneChanges, NSZoneRecord } from "../../ns_zone/proto/service_ns_zone_pb.ts";
import type { Api } from "./api.ts";
import { checkSetting } from "./health/check.ts";

const PAGE_SIZE = 1000n;
const MAX_POSITIONS = 100;

/** A whole change of a zone. */
export interface PulledZone {
  readonly id: string;
  /** False if the node must not answer for the domain. */
  readonly isServed: boolean;
  readonly name: string;
  readonly version: string;
  readonly serial: number;
  readonly authority: readonly HeadRow[];
  readonly rows: readonly RowChange[];
}

type Versioned = { readonly version: bigint };

/** Yields the items of a feed after a version, page by page. */
export async function* feedAfter<Item extends Versioned>(
  version: bigint,
  list: (version: bigint, size: bigint) => Promise<readonly Item[]>,
): AsyncGenerator<readonly Item[]> {
  let after = version;
  while (true) {
    const items = await list(after, PAGE_SIZE);
    if (items.length > 0) yield items;
    if (items.length < PAGE_SIZE) return;
    after = items.at(-1)!.version;
  }
}

/** Yields the changes of zones, each when all of it has come. */
export async function* zonesAfter(api: Api, positions: ReadonlyMap<string, bigint>): AsyncGenerator<PulledZone> {
  const waiting = new Map(positions);
  const rows = new Map<string, RowChange[]>();
  while (waiting.size > 0) {
    const asked = [...waiting].slice(0, MAX_POSITIONS).map(([id, version]) => ({ nsDomainId: BigInt(id), version }));
    const { zones } = await api.zones.listNSZoneChanges(
      {
        positions: asked,
        size: PAGE_SIZE,
      },
      { signal: api.signal },
    );
    if (zones.length === 0) throw new Error("the server sent none of the zones that it was asked for");
    for (const zone of zones) {
      const id = String(zone.nsDomainId);
      const received = [...(rows.get(id) ?? []), ...zone.records.map(rowOf)];
      rows.set(id, received);
      if (zone.isServed && !zone.isComplete) waiting.set(id, zone.version);
      else {
        waiting.delete(id);
        rows.delete(id);
        yield pulled(zone, received);
      }
    }
  }
}

function pulled(
  { nsDomainId, isServed, name, version, serial, authority }: NSZoneChanges,
  rows: RowChange[],
): PulledZone {
  return {
    ...{ isServed, name, serial, rows },
    id: String(nsDomainId),
    version: String(version),
    authority: authority.map(({ name, type, ttl, data }) => ({
      name,
      type,
      ttl,
      data,
    })),
  };
}

function rowOf(
  { id, isDeleted, name, type, ttl, data, isUp, weight, routeCodes, healthCheckJSON }: NSZoneRecord,
): RowChange {
  if (isDeleted) {
    return { id: String(id), isDeleted: true } satisfies DeletedRow;
  }
  const check = checkSetting(healthCheckJSON);
  return { id: String(id), name, type, ttl, data, isUp, routeCodes, weight, ...(check && { check }) };
}
