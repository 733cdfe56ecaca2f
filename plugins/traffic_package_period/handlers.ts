import { choiceField, type Handlers, invalid, type UseCheck } from "edgehelm";
import { createRow, deleteRow, findRow, listRows, rowMessage, updateRow } from "edgehelm/rows";
import { errors } from "./errors.ts";
import {
  TrafficPackagePeriodSchema,
  type TrafficPackagePeriodService,
} from "./proto/service_traffic_package_period_pb.ts";
import type { TrafficPackagePeriodStore } from "./store.ts";

const UNIT_MONTHS = { month: 1, year: 12 } as const;
const MAX_MONTHS = 120;
const id = "trafficPackagePeriodId";
const many = "trafficPackagePeriods";

export const periodMessage = rowMessage(TrafficPackagePeriodSchema, ["id", "count", "unit", "months", "isOn"]);

export function trafficPackagePeriodHandlers(
  periods: TrafficPackagePeriodStore,
  uses: readonly UseCheck[],
): Handlers<typeof TrafficPackagePeriodService> {
  return {
    createTrafficPackagePeriod: createRow(id, periods.insert, ({ count, unit: requestedUnit }) => {
      if (count <= 0) throw invalid("count", `must be positive, got ${count}`);
      const unit = choiceField("unit", requestedUnit, ["month", "year"]);
      const months = count * UNIT_MONTHS[unit];
      if (months > MAX_MONTHS) throw invalid("count", `must be at most ${MAX_MONTHS} months, got ${months}`);
      return { count, unit, months };
    }, { exists: ({ count, unit }) => errors.exists(`${count} ${unit}`) }),
    updateTrafficPackagePeriod: updateRow(periods, id, periods.update, ({ isOn }) => ({ isOn })),
    deleteTrafficPackagePeriod: deleteRow(periods, id, { uses, inUse: errors.in_use }),
    findTrafficPackagePeriod: findRow(periods, id, "trafficPackagePeriod", periodMessage),
    findAllTrafficPackagePeriods: listRows(periods.list, many, periodMessage, () => ({})),
    findAllAvailableTrafficPackagePeriods: listRows(periods.list, many, periodMessage, () => ({ isOn: true })),
  };
}
