import { choiceField, type Handlers, invalid, type UseCheck } from "edgehelm";
import { createRow, deleteRow, findRow, listRows, rowMessage, updateRow } from "edgehelm/rows";
import { errors } from "./errors.ts";
import { TrafficPackageSchema, type TrafficPackageService } from "./proto/service_traffic_package_pb.ts";
import type { TrafficPackageStore } from "./store.ts";

const UNIT_BYTES = { gb: 1n << 30n, tb: 1n << 40n, pb: 1n << 50n } as const;

export const packageMessage = rowMessage(TrafficPackageSchema, ["id", "size", "unit", "bytes", "isOn"]);

export function trafficPackageHandlers(
  packages: TrafficPackageStore,
  uses: readonly UseCheck[],
): Handlers<typeof TrafficPackageService> {
  return {
    createTrafficPackage: createRow("trafficPackageId", packages.insert, ({ size, unit: requestedUnit }) => {
      if (size <= 0) throw invalid("size", `must be positive, got ${size}`);
      const unit = choiceField("unit", requestedUnit, ["gb", "tb", "pb"]);
      const bytes = BigInt(size) * UNIT_BYTES[unit];
      // sums of packages must not overflow 64 bits
      if (bytes > UNIT_BYTES.pb) throw invalid("size", `must be at most 1 pb, got ${size} ${unit}`);
      return { size, unit, bytes };
    }, { exists: ({ size, unit }) => errors.exists(`${size} ${unit}`) }),
    updateTrafficPackage: updateRow(packages, "trafficPackageId", packages.update, ({ isOn }) => ({ isOn })),
    deleteTrafficPackage: deleteRow(packages, "trafficPackageId", { uses, inUse: errors.in_use }),
    findTrafficPackage: findRow(packages, "trafficPackageId", "trafficPackage", packageMessage),
    findAllTrafficPackages: listRows(packages.list, "trafficPackages", packageMessage, () => ({})),
    findAllAvailableTrafficPackages: listRows(packages.list, "trafficPackages", packageMessage, () => ({ isOn: true })),
  };
}
