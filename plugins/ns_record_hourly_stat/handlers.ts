import { type Call, distinct, type Handlers, idField, invalid } from "edgehelm";
import { errors } from "./errors.ts";
import { hourField, hoursField, hourStart, lastHours } from "./hours.ts";
import type { NSRecordHourlyStatService } from "./proto/service_ns_record_hourly_stat_pb.ts";
import { upload, type UploadDeps } from "./upload.ts";

const MAX_RECORDS = 1000;
const NONE = { bytes: 0n, countRequests: 0n };

export function nsRecordHourlyStatHandlers(deps: UploadDeps): Handlers<typeof NSRecordHourlyStatService> {
  const { stats, domains, records, clock } = deps;

  /** Returns the record with its domain and cluster. Refuses one that the caller may not see. */
  async function visible(call: Call, nsRecordId: bigint) {
    const found = (await visibleOf(call, [idField("nsRecordId", nsRecordId)])).get(nsRecordId);
    if (found === undefined) throw errors.record_not_found(nsRecordId);
    return found;
  }

  async function visibleOf(call: Call, ids: readonly bigint[]) {
    const places = await records.places(call, ids);
    const seen = await domains.summaries(call, distinct([...places.values()].map(({ nsDomainId }) => nsDomainId)));
    const entries = [...places].flatMap(([nsRecordId, { nsDomainId }]) => {
      const domain = seen.get(nsDomainId);
      return domain === undefined
        ? []
        : [[nsRecordId, { nsRecordId, nsDomainId, nsClusterId: domain.nsClusterId }]] as const;
    });
    return new Map(entries);
  }

  /** Returns the hours of an object including empty ones, from the rows that a query finds between the first and the last. */
  async function hourly<Row extends { hour: bigint }>(
    count: number,
    find: (range: { from: bigint; to: bigint }) => Promise<readonly Row[]>,
  ) {
    const hours = lastHours(clock, count);
    const rows = await find({ from: BigInt(hours[0]!), to: BigInt(hours.at(-1)!) });
    const found = new Map(rows.map((row) => [`${row.hour}`, row]));
    return hours.map((hour) => ({ ...NONE, ...found.get(hour), ...timeOf(hour) }));
  }

  const timeOf = (hour: string) => ({ hour, createdAt: BigInt(hourStart(clock, hour)) });

  return {
    async uploadNSRecordHourlyStats(request, call) {
      await upload(call, deps, request);
      return {};
    },

    async findNSRecordHourlyStat({ nsRecordId, hour }, call) {
      const at = timeOf(hourField("hour", hour));
      const record = await visible(call, nsRecordId);
      const [found = NONE] = await stats.ofRecords.all(call, { ids: [nsRecordId], hour: BigInt(hour) });
      return { nsRecordHourlyStat: { ...found, ...record, ...at } };
    },

    async findLatestNSRecordsHourlyStats({ nsRecordId }, call) {
      const record = await visible(call, nsRecordId);
      const found = await hourly(24, (range) => stats.hoursOfRecord.all(call, { nsRecordId, ...range }));
      return { nsRecordHourlyStats: found.map((stat) => ({ ...stat, ...record })) };
    },

    async findNSRecordHourlyStatWithRecordIds({ nsRecordIds, hour }, call) {
      const at = timeOf(hourField("hour", hour));
      if (nsRecordIds.length > MAX_RECORDS) throw invalid("nsRecordIds", `must have at most ${MAX_RECORDS} items`);
      const seen = await visibleOf(call, distinct(nsRecordIds).filter((id) => id > 0n));
      const ids = [...seen.keys()];
      const rows = ids.length === 0 ? [] : await stats.ofRecords.all(call, { ids, hour: BigInt(hour) });
      const found = new Map(rows.map((row) => [row.nsRecordId, row]));
      return {
        nsRecordHourlyStats: distinct(nsRecordIds).flatMap((id) => {
          const [stat, record] = [found.get(id), seen.get(id)];
          return stat === undefined || record === undefined ? [] : [{ ...stat, ...record, ...at }];
        }),
      };
    },

    async findLatestNSDomainHourlyStats({ nsDomainId, hours }, call) {
      const count = hoursField("hours", hours);
      await domains.requireDomain(call, idField("nsDomainId", nsDomainId));
      const found = await hourly(count, (range) => stats.hoursOfDomain.all(call, { nsDomainId, ...range }));
      return { nsDomainHourlyStats: found.map((stat) => ({ ...stat, nsDomainId })) };
    },

    async sumNSDomainStats({ nsDomainId, hours }, call) {
      const names = lastHours(clock, hoursField("hours", hours));
      await domains.requireDomain(call, idField("nsDomainId", nsDomainId));
      const range = { nsDomainId, from: BigInt(names[0]!), to: BigInt(names.at(-1)!) };
      const types = ranked(await stats.typesOfDomain.all(call, range));
      const codes = ranked(await stats.codesOfDomain.all(call, range));
      // a slow scan, which runs outside the event loop
      const found = await stats.recordsOfDomain.scan(call, range);
      const total = (figure: keyof typeof NONE) => types.reduce((sum, row) => sum + row[figure], 0n);
      const places = await records.places(call, found.map(({ nsRecordId }) => nsRecordId));
      return {
        ...{ countRequests: total("countRequests"), bytes: total("bytes"), types, codes },
        records: found.map((sum) => ({ ...sum, ...places.get(sum.nsRecordId) })),
      };
    },
  };
}

/** Orders sums by the number of queries, and by name where these are equal. */
function ranked<Row extends { readonly name: string; readonly countRequests: bigint }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) =>
    a.countRequests === b.countRequests ? (a.name < b.name ? -1 : 1) : a.countRequests < b.countRequests ? 1 : -1
  );
}
