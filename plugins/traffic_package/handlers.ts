import { choiceField, type Handlers, invalid, refuseWhenUsed, type UseCheck } from "edgehelm";
import type { TrafficPackageSummary } from "./contract.ts";
import { errors } from "./errors.ts";
import type { TrafficPackageService } from "./proto/service_traffic_package_pb.ts";
import type { TrafficPackageRow, TrafficPackageStore } from "./store.ts";

const UNIT_BYTES = { gb: 1n << 30n, tb: 1n << 40n, pb: 1n << 50n } as const;
/** One petabyte, so that sums of packages do not overflow 64 bits. */
const MAX_BYTES = 1n << 50n;

export function trafficPackageHandlers(
  packages: TrafficPackageStore,
  uses: readonly UseCheck[],
): Handlers<typeof TrafficPackageService> {
  return {
    async createTrafficPackage({ size, unit: requestedUnit }, call) {
      if (size <= 0) throw invalid("size", `must be positive, got ${size}`);
      const unit = choiceField("unit", requestedUnit, ["gb", "tb", "pb"]);
      const bytes = BigInt(size) * UNIT_BYTES[unit];
      if (bytes > MAX_BYTES) throw invalid("size", `must be at most 1 pb, got ${size} ${unit}`);
      const created = await packages.insert.first(call, { size: BigInt(size), unit, bytes });
      if (created === undefined) throw errors.exists(`${size} ${unit}`);
      return { trafficPackageId: created.id };
    },

    async updateTrafficPackage({ trafficPackageId, isOn }, call) {
      const { id } = await packages.require(call, "trafficPackageId", trafficPackageId);
      await packages.setOn.run(call, { id, isOn });
      return {};
    },

    async deleteTrafficPackage({ trafficPackageId }, call) {
      const { id } = await packages.require(call, "trafficPackageId", trafficPackageId);
      await refuseWhenUsed(call, id, uses, (users) => errors.in_use(id, users));
      await packages.remove.run(call, { id });
      return {};
    },

    async findTrafficPackage({ trafficPackageId }, call) {
      const found = await packages.byId.first(call, { id: trafficPackageId });
      return found === undefined ? {} : { trafficPackage: summary(found) };
    },

    async findAllTrafficPackages(_request, call) {
      return { trafficPackages: (await packages.all.all(call, {})).map(summary) };
    },

    async findAllAvailableTrafficPackages(_request, call) {
      return { trafficPackages: (await packages.all.all(call, {})).map(summary).filter(({ isOn }) => isOn) };
    },
  };
}

export function summary({ id, size, unit, bytes, isOn }: TrafficPackageRow): TrafficPackageSummary {
  return { id, size: Number(size), unit, bytes, isOn: isOn === 1n };
}
