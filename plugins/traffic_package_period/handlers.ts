import { choiceField, type Handlers, invalid, type UseCheck } from "edgehelm";
import { deleteRow, findRow, listRows, rowMessage, updateRow } from "edgehelm/rows";
import { errors } from "./errors.ts";
import {
  TrafficPackagePeriodSchema,
  type TrafficPackagePeriodService,
} from "./proto/service_traffic_package_period_pb.ts";
import type { TrafficPackagePeriodStore } from "./store.ts";

const UNIT_MONTHS = { month: 1, year: 12 } as const;
const MAX_MONTHS = 120;

export const periodMessage = rowMessage(TrafficPackagePeriodSchema, ["id", "count", "unit", "months", "isOn"]);

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
      const created = await periods.insert.first(call, { count, unit, months });
      if (created === undefined) throw errors.exists(`${count} ${unit}`);
      return { trafficPackagePeriodId: created.id };
    },
    updateTrafficPackagePeriod: updateRow(periods, "trafficPackagePeriodId", periods.update, ({ isOn }) => ({ isOn })),
    deleteTrafficPackagePeriod: deleteRow(periods, "trafficPackagePeriodId", { uses, inUse: errors.in_use }),
    findTrafficPackagePeriod: findRow(periods, "trafficPackagePeriodId", "trafficPackagePeriod", periodMessage),
    findAllTrafficPackagePeriods: listRows(periods.list, "trafficPackagePeriods", periodMessage, () => ({})),
    findAllAvailableTrafficPackagePeriods: listRows(
      periods.list,
      "trafficPackagePeriods",
      periodMessage,
      () => ({ isOn: true }),
    ),
  };
}
