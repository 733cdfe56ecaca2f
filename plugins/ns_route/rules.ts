import { choiceField, invalid, listField, textField } from "edgehelm";
import { addressField, addressNumber, addressVersion } from "edgehelm/fields";
import { jsonListField } from "edgehelm/wire";
import {
  type NSRouteRange,
  type NSRouteRangeParams,
  NSRouteRangeSchema,
  type NSRouteRegion,
} from "edgehelm/proto/shapes/ns_route_range_pb.js";

const MAX_RANGES = 1000;
const KINDS = ["ipRange", "cidr", "region"] as const;
const REGION_KINDS = ["continent", "country", "province", "city", "isp"] as const;

/** Checks the ranges of a route. Returns false for empty bytes. */
export function rangesField(field: string, bytes: Uint8Array): boolean {
  const ranges = jsonListField(field, bytes, NSRouteRangeSchema);
  if (ranges === undefined) return false;
  if (ranges.length === 0) throw invalid(field, "must have at least one range");
  listField(field, ranges, checkRange, { max: MAX_RANGES });
  return true;
}

function checkRange(field: string, { type, params }: NSRouteRange): void {
  const kind = choiceField(`${field}.type`, type, KINDS);
  if (params === undefined) throw invalid(`${field}.params`, "must not be empty");
  CHECKS[kind](`${field}.params`, params);
}

const CHECKS: Readonly<Record<(typeof KINDS)[number], (field: string, params: NSRouteRangeParams) => void>> = {
  ipRange(field, { ipFrom, ipTo }) {
    const from = addressField(`${field}.ipFrom`, ipFrom);
    const to = addressField(`${field}.ipTo`, ipTo, addressVersion(from)!);
    if (addressNumber(to) < addressNumber(from)) {
      throw invalid(`${field}.ipTo`, `must not be before ${from}, got "${to}"`);
    }
  },
  cidr(field, { cidr }) {
    const [address = "", bits = "", ...rest] = cidr.split("/");
    const version = addressVersion(address);
    const isNetwork = version !== undefined && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
    if (!isNetwork || rest.length > 0) {
      throw invalid(`${field}.cidr`, `must be a network such as 192.0.2.0/24, got "${cidr.slice(0, 60)}"`);
    }
  },
  region(field, { connector, regions }) {
    if (connector !== "") choiceField(`${field}.connector`, connector.toUpperCase(), ["OR", "AND"]);
    if (regions.length === 0) throw invalid(`${field}.regions`, "must have at least one region");
    listField(`${field}.regions`, regions, checkRegion);
  },
};

function checkRegion(field: string, { type, id, name }: NSRouteRegion): void {
  choiceField(`${field}.type`, type, REGION_KINDS);
  if (id < 0n) throw invalid(`${field}.id`, `must not be negative, got ${id}`);
  textField(`${field}.name`, name, { min: id === 0n ? 1 : 0 });
}
