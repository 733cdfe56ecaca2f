import { choiceField, type Handlers, invalid, type UseCheck } from "edgehelm";
import { refuseWhenUsed } from "edgehelm/rows";
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

    async deleteTrafficPackagePeriod({ trafficPackagePeriodId }, call) {
      const { id } = await periods.require(call, "trafficPackagePeriodId", trafficPackagePeriodId);
      await refuseWhenUsed(call, id, uses, (users) => errors.in_use(id, users));
      await periods.remove.run(call, { id });
      return {};
    },

    async findTrafficPackagePeriod({ trafficPackagePeriodId }, call) {
      const found = await periods.byId.first(call, { id: trafficPackagePeriodId });
      return found === undefined ? {} : { trafficPackagePeriod: summary(found) };
    },

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
