import {
  type Call,
  choiceField,
  type Clock,
  distinct,
  type Handlers,
  idField,
  invalid,
  listField,
  pageOf,
  unixSeconds,
} from "edgehelm";
import { inBatches } from "edgehelm/storage";
import type { ForeignRows } from "../node_base/contract.ts";
import type { Measurement, ReportMeasurements, ReportNodePlace, ReportNodes } from "../report_node/contract.ts";
import { regionsOf } from "./regions.ts";
import { FRESH_SECONDS, LEVELS, measurementOf, resultField, type ResultSummary, TYPES } from "./rules.ts";
import type { ReportResultService } from "./proto/service_report_result_pb.ts";
import type { Filter, ReportResultRow, ReportResultStore } from "./store.ts";

const RETENTION_SECONDS = 7n * 86_400n;
const DELETE_BATCH_SIZE = 1000;
/** The place of a report node that was deleted just now. */
const UNKNOWN: ReportNodePlace = { name: "", location: "", isp: "" };

export function reportResultHandlers(
  results: ReportResultStore,
  nodes: ReportNodes,
  clock: Clock,
  foreign: ForeignRows,
): Handlers<typeof ReportResultService> {
  return {
    async updateReportResults({ reportResults }, call) {
      const reportNodeId = await nodes.requireCaller(call);
      const updatedAt = unixSeconds(clock);
      const checked = listField("reportResults", reportResults, resultField);
      const targets = await nodes.targetsAmong(call, distinct(checked.map(({ targetId }) => targetId)));
      const own = checked.filter(({ targetId }) => targets.has(targetId));
      foreign.dropped(call, checked.length - own.length);
      for (const result of own) await results.upsert.defer(call, { ...result, reportNodeId, updatedAt });
      return {};
    },

    async countAllReportResults(request, call) {
      const filter = filterOf(request);
      return await results.statementsFor(filter).count.one(call, filter);
    },

    async listReportResults(request, call) {
      const filter = filterOf(request);
      const rows = await results.statementsFor(filter).list.all(call, { ...filter, ...pageOf(request) });
      return { reportResults: await resultMessages(nodes, call, rows) };
    },

    async findAllReportResults({ type, targetId }, call) {
      const target = { type: choiceField("type", type, TYPES), targetId };
      return { reportResults: await resultMessages(nodes, call, await results.ofTarget.all(call, target)) };
    },

    async findReportResultRegions({ type, targetId }, call) {
      const since = unixSeconds(clock) - FRESH_SECONDS;
      const target = { type: choiceField("type", type, TYPES), targetId, since };
      const rows = await results.freshOfTarget.all(call, target);
      const places = await nodes.places(call, rows.map(({ reportNodeId }) => reportNodeId));
      return { regions: regionsOf(rows.map((row) => ({ ...row, ...places.get(row.reportNodeId) ?? UNKNOWN }))) };
    },
  };
}

/** Provides measurements of targets based on results. */
export function measurements(results: ReportResultStore, clock: Clock): ReportMeasurements {
  return {
    async ofTargets(call, type, ids): Promise<ReadonlyMap<bigint, Measurement>> {
      const since = unixSeconds(clock) - FRESH_SECONDS;
      const rows = await results.fresh.all(call, { type, targetIds: [...ids], since });
      const byTarget = Map.groupBy<bigint, ResultSummary & { targetId: bigint }>(rows, ({ targetId }) => targetId);
      return new Map([...byTarget].map(([id, group]) => [id, measurementOf(group)]));
    },
    nodeDeleted: async (call, reportNodeId) => void await results.removeOfNode.run(call, { reportNodeId }),
  };
}

/** Deletes results that have not been updated: their targets no longer exist. */
export async function removeOld(call: Call, results: ReportResultStore, clock: Clock): Promise<void> {
  const before = unixSeconds(clock) - RETENTION_SECONDS;
  await inBatches(call, DELETE_BATCH_SIZE, (inner, limit) => results.removeSomeBefore.run(inner, { before, limit }));
}

function filterOf({ reportNodeId, okState, level }: Filter): Filter {
  if (![0, 1, 2].includes(okState)) throw invalid("okState", `must be 0, 1 or 2, got ${okState}`);
  if (level !== "") choiceField("level", level, LEVELS);
  return { reportNodeId: idField("reportNodeId", reportNodeId), okState, level };
}

async function resultMessages(nodes: ReportNodes, call: Call, rows: readonly ReportResultRow[]) {
  const places = await nodes.places(call, distinct(rows.map(({ reportNodeId }) => reportNodeId)));
  return rows.map((row) => {
    const { id, type, targetId, targetDesc, reportNodeId, costMs, error, updatedAt, level } = row;
    const result = { id, type, targetId, targetDesc, reportNodeId, costMs, error, updatedAt, level };
    const { name: reportNodeName, location, isp } = places.get(reportNodeId) ?? UNKNOWN;
    return { ...result, isOk: row.isOk === 1n, reportNodeName, location, isp };
  });
}
