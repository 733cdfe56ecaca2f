import { type Handlers, idField, invalid, pageOf } from "edgehelm";
import type { NSNodes } from "../ns_node/contract.ts";
import type { Histories } from "./histories.ts";
import type { NSZoneService } from "./proto/service_ns_zone_pb.ts";
import { type Position, zoneChanges, type ZoneChangesDeps } from "./zone_changes.ts";

/** The dependencies of the handlers. */
export interface Deps extends ZoneChangesDeps {
  readonly nodes: NSNodes;
  readonly histories: Histories;
}

const PAGE = { defaultSize: 1000n, maxSize: 1000n };
const MAX_POSITIONS = 100;

/** Implements every operation of the service. */
export function nsZoneHandlers(deps: Deps): Handlers<typeof NSZoneService> {
  const { nodes, histories, records } = deps;
  return {
    async compareNSFeedVersions({ history, versions }, call) {
      const nsClusterId = await nodes.followedCluster(call);
      if (versions.length > MAX_POSITIONS) throw invalid("versions", `must have at most ${MAX_POSITIONS} items`);
      const known = new Map(versions.map(({ type, version }) => [type, version]));
      const latest = await histories.latest(call, nsClusterId);
      return {
        history: await histories.current(call),
        isKnown: await histories.knows(call, history, known),
        versions: [...latest].sort().map(([type, version]) => ({ type, version })),
      };
    },

    async listNSZonesAfterVersion({ version, size }, call) {
      const page = pageOf({ size }, PAGE);
      const nsClusterId = await nodes.followedCluster(call);
      versionField("version", version);
      return { zones: await records.zonesAfter(call, { nsClusterId, version, limit: Number(page.size) }) };
    },

    async listNSZoneChanges({ positions, size }, call) {
      const page = pageOf({ size }, PAGE);
      const nsClusterId = await nodes.followedCluster(call);
      positionsField("positions", positions);
      return { zones: await zoneChanges(deps, call, nsClusterId, positions, Number(page.size)) };
    },
  };
}

function positionsField(field: string, positions: readonly Position[]): void {
  if (positions.length === 0) throw invalid(field, "must not be empty");
  if (positions.length > MAX_POSITIONS) throw invalid(field, `must have at most ${MAX_POSITIONS} items`);
  const ids = new Set<bigint>();
  for (const [index, { nsDomainId, version }] of positions.entries()) {
    idField(`${field}[${index}].nsDomainId`, nsDomainId);
    versionField(`${field}[${index}].version`, version);
    if (ids.has(nsDomainId)) throw invalid(`${field}[${index}].nsDomainId`, `${nsDomainId} is listed twice`);
    ids.add(nsDomainId);
  }
}

function versionField(field: string, version: bigint): void {
  if (version < 0n) throw invalid(field, `must not be negative, got ${version}`);
}
