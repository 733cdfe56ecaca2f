import type { Call } from "edgehelm";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { NSDomains, NSDomainSummary } from "../ns_domain/contract.ts";
import type { NSRecords, NSZoneRecord } from "../ns_record/contract.ts";
import type { ZoneText } from "../ns_zone_file/contract.ts";
import type { NSZoneChangesSchema, NSZoneRecordSchema } from "./proto/service_ns_zone_pb.ts";

/** A zone, and the version that a node has of it. */
export interface Position {
  readonly nsDomainId: bigint;
  readonly version: bigint;
}

export interface ZoneChangesDeps {
  readonly domains: NSDomains;
  readonly records: NSRecords;
  readonly text: ZoneText;
}

type Changes = MessageInitShape<typeof NSZoneChangesSchema>;
type Line = MessageInitShape<typeof NSZoneRecordSchema>;

/** A response stays far below the limit of a message. */
const MAX_CHARACTERS = 1024 * 1024;

/**
 * Returns the changes of zones on a cluster, at most `size` records. Records come in the order of their changes, so that
 * one that changes between two pages comes again later: with the last page the node has what the server had then.
 */
export async function zoneChanges(
  { domains, records, text }: ZoneChangesDeps,
  call: Call,
  nsClusterId: bigint,
  positions: readonly Position[],
  size: number,
): Promise<Changes[]> {
  const ids = positions.map(({ nsDomainId }) => nsDomainId);
  const served = new Map(
    (await domains.served(call, ids)).entries().filter(([, one]) => one.nsClusterId === nsClusterId),
  );
  // the state before the records are read: they then have all that the serial says, and those after it show what came in between
  const before = await records.zoneVersions(call, ids);
  const authorities = await records.zoneAuthorities(call, [...served.values()]);
  const headOf = await text.heads(call, nsClusterId);
  const found: Changes[] = [];
  let left = { records: size, characters: MAX_CHARACTERS };
  for (const { nsDomainId, version } of positions) {
    const domain = served.get(nsDomainId);
    if (domain === undefined) {
      found.push({ nsDomainId, isServed: false });
      continue;
    }
    if (left.records === 0 || left.characters <= 0) break;
    const { lines, isLast, rest } = await page(records, text, call, domain, version, left);
    left = rest;
    const { serial, lines: authority } = headOf(
      domain.name,
      authorities.get(nsDomainId) ?? [],
      before.get(nsDomainId)?.serial ?? 0n,
    );
    found.push({
      ...{ nsDomainId, isServed: true, name: domain.name, isComplete: isLast, serial, records: lines },
      version: lines.at(-1)?.version ?? version,
      authority: authority.map((line) => ({ ...line, isUp: true })),
    });
  }
  const after = await records.zoneVersions(call, ids);
  const isUnchanged = ({ nsDomainId: id = 0n }: Changes) => before.get(id)?.serial === after.get(id)?.serial;
  return found.map((zone) => ({ ...zone, isComplete: zone.isComplete === true && isUnchanged(zone) }));
}

interface Left {
  readonly records: number;
  readonly characters: number;
}

async function page(
  records: NSRecords,
  text: ZoneText,
  call: Call,
  domain: NSDomainSummary,
  version: bigint,
  left: Left,
) {
  const found = await records.zoneRecordsAfter(call, domain, version, left.records + 1);
  const lines: Line[] = [];
  let { characters } = left;
  for (const record of found.slice(0, left.records)) {
    if (characters <= 0) break;
    const line = lineOf(text, record);
    characters -= line.data?.length ?? 0;
    lines.push(line);
  }
  const rest = { records: left.records - lines.length, characters };
  return { lines, isLast: lines.length === found.length, rest };
}

/** Returns a record for nodes. A SOA record of the domain is part of the zone's beginning, so it is none here. */
function lineOf(text: ZoneText, record: NSZoneRecord): Line {
  const { id, version, isOn, type, isUp, weight, healthCheckJSON } = record;
  if (!isOn || type === "SOA") return { id, version, isDeleted: true };
  const routeCodes = [...record.routeCodes];
  return { id, version, ...text.lineOf(record), isUp, weight, routeCodes, healthCheckJSON };
}
