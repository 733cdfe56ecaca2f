import { type Call, type Handlers, idField, invalid } from "edgehelm";
import { amountField, amountNumber } from "edgehelm/fields";
import type { NodeRegions } from "../node_region/contract.ts";
import type { TrafficPackages } from "../traffic_package/contract.ts";
import type { TrafficPackagePeriods } from "../traffic_package_period/contract.ts";
import type { TrafficPackagePriceService } from "./proto/service_traffic_package_price_pb.ts";
import type { PriceKey, TrafficPackagePriceRow, TrafficPackagePriceStore } from "./store.ts";

const MAX_COUNT = 100_000;

/** The contracts of what prices refer to. */
export interface Deps {
  readonly packages: TrafficPackages;
  readonly periods: TrafficPackagePeriods;
  readonly regions: NodeRegions;
}

export function trafficPackagePriceHandlers(
  prices: TrafficPackagePriceStore,
  { packages, periods, regions }: Deps,
): Handlers<typeof TrafficPackagePriceService> {
  async function requireKey(call: Call, request: PriceKey): Promise<PriceKey> {
    const key = keyOf(request);
    await packages.require(call, "trafficPackageId", key.trafficPackageId);
    await regions.requireRegion(call, "nodeRegionId", key.nodeRegionId);
    await periods.require(call, "trafficPackagePeriodId", key.trafficPackagePeriodId);
    return key;
  }

  return {
    async updateTrafficPackagePrice(request, call) {
      const price = amountField("price", request.price);
      const key = await requireKey(call, request);
      if (price === 0n) await prices.remove.run(call, key);
      else await prices.set.run(call, { ...key, price });
      return {};
    },

    async findTrafficPackagePrice({ count, ...request }, call) {
      if (count < 0 || count > MAX_COUNT) throw invalid("count", `must be 0 to ${MAX_COUNT}, got ${count}`);
      const { price } = await prices.find.first(call, request) ?? { price: 0n };
      return { price: amountNumber(price), amount: amountNumber(price * BigInt(count || 1)) };
    },

    countTrafficPackagePrices: (request, call) => prices.countOfPackage.one(call, request),

    async findTrafficPackagePrices(request, call) {
      return { trafficPackagePrices: (await prices.ofPackage.all(call, request)).map(priceMessage) };
    },

    async findAllTrafficPackagePrices(_request, call) {
      return { trafficPackagePrices: (await prices.all.all(call, {})).map(priceMessage) };
    },
  };
}

function keyOf({ trafficPackageId, nodeRegionId, trafficPackagePeriodId }: PriceKey): PriceKey {
  return {
    trafficPackageId: idField("trafficPackageId", trafficPackageId),
    nodeRegionId: idField("nodeRegionId", nodeRegionId),
    trafficPackagePeriodId: idField("trafficPackagePeriodId", trafficPackagePeriodId),
  };
}

function priceMessage(row: TrafficPackagePriceRow) {
  return { ...row, price: amountNumber(row.price) };
}
