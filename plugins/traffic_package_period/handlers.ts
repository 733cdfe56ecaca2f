import { choiceField, type Handlers, invalid, type UseCheck } from "edgehelm";
import { deleteRow, findRow } from "edgehelm/rows";
import type { TrafficPackagePeriodSummary } from "./contract.ts";
import { errors } from "./errors.ts";
import type { TrafficPackagePeriodService } from "./proto/service_traffic_package_period_pb.ts";
import type { TrafficPackagePeriodRow, TrafficPackagePeriodStore } from "./store.ts";

const UNIT_MONTHS = { month: 1, year: 12 } as const;
const MAX_MONTHS = 120;

export function trafficPackagePeriodHandlers(
  periods: TrafficPackagePeriodStore,
  uses: readonly UseCheck[],
): Handlers<typeof TrafficPackagePeriodService> {
  return {
    async createTrafficPackagePeriod({ count, unit: requestedUnit }, call) {
      if (count <= 0) throw invalid("count", `must be positive, got ${count}`);
      const unit = choiceField("unit", requestedUnit, ["month", "year"]);
      const months = count * UNIT_MONTHS[unit];
      if (months > MAX_MONTHS) throw invalid("count", `must be at most ${MAX_MONTHS} months, got ${months}`);
      const created = await periods.insert.first(call, { count: BigInt(count), unit, months: BigInt(months) });
      if (created === undefined) throw errors.exists(`${count} ${unit}`);
      return { trafficPackagePeriodId: created.id };
    },

    async updateTrafficPackagePeriod({ trafficPackagePeriodId, isOn }, call) {
      const { id } = await periods.require(call, "trafficPackagePeriodId", trafficPackagePeriodId);
      await periods.setOn.run(call, { id, isOn });
      return {};
    },

    deleteTrafficPackagePeriod: deleteRow(periods, "trafficPackagePeriodId", { uses, inUse: errors.in_use }),

    findTrafficPackagePeriod: findRow(periods, "trafficPackagePeriodId", "trafficPackagePeriod", summary),

    async findAllTrafficPackagePeriods(_request, call) {
      return { trafficPackagePeriods: (await periods.all.all(call, {})).map(summary) };
    },

    async findAllAvailableTrafficPackagePeriods(_request, call) {
      return { trafficPackagePeriods: (await periods.all.all(call, {})).map(summary).filter(({ isOn }) => isOn) };
    },
  };
}

export function summary({ id, count, unit, months, isOn }: TrafficPackagePeriodRow): TrafficPackagePeriodSummary {
  return { id, count: Number(count), unit, months: Number(months), isOn: isOn === 1n };
}
