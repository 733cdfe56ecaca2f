import { type Call, distinct } from "edgehelm";
import type { SaleDeps } from "./sale.ts";
import type { UserTrafficPackageRow } from "./store.ts";

/** Returns messages of packages with package, region and user. */
export async function packageMessages(
  call: Call,
  { packages, regions, users }: Pick<SaleDeps, "packages" | "regions" | "users">,
  rows: readonly UserTrafficPackageRow[],
  day: string,
) {
  const [packageOf, regionOf, userOf] = await Promise.all([
    packages.summaries(call, distinct(rows.map(({ trafficPackageId }) => trafficPackageId))),
    regions.nested(call, distinct(rows.map(({ nodeRegionId }) => nodeRegionId))),
    users.nested(call, distinct(rows.map(({ userId }) => userId))),
  ]);
  return rows.map((row) => {
    const trafficPackage = packageOf.get(row.trafficPackageId);
    const nodeRegion = regionOf.get(row.nodeRegionId);
    const user = userOf.get(row.userId);
    const isUsable = row.dayTo >= day && row.usedBytes < row.totalBytes;
    return {
      id: row.id,
      userId: row.userId,
      trafficPackageId: row.trafficPackageId,
      totalBytes: row.totalBytes,
      usedBytes: row.usedBytes,
      nodeRegionId: row.nodeRegionId,
      trafficPackagePeriodId: row.trafficPackagePeriodId,
      trafficPackagePeriodCount: Number(row.periodCount),
      trafficPackagePeriodUnit: row.periodUnit,
      dayFrom: row.dayFrom,
      dayTo: row.dayTo,
      createdAt: row.createdAt,
      ...(trafficPackage && { trafficPackage }),
      ...(nodeRegion && { nodeRegion }),
      ...(user && { user }),
      canDelete: call.caller.role !== "user" || !isUsable,
    };
  });
}
