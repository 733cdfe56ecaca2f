import { type Call, type Clock, distinct, idField, pageOf, unixSeconds } from "edgehelm";
import type { NSDomainSummary } from "../../ns_domain/contract.ts";
import { effectiveCheck, isChecked } from "../checks.ts";
import { fedContent } from "../fed_content.ts";
import { REPORT_SECONDS } from "../health.ts";
import type { NSRecordRow } from "../store.ts";
import type { HealthFilter, HealthStateLists } from "../store_health_states.ts";
import type { Deps, Operations } from "./deps.ts";

type Named = "listNSRecordHealthStates" | "countNSRecordHealthStates";

const MAX_SIZE = 100n;
const MAX_REPORTS = 20n;

/** The dependencies of {@link healthStateHandlers}. */
export interface HealthStateDeps extends Pick<Deps, "domains" | "nodes"> {
  readonly states: HealthStateLists;
  readonly clock: Clock;
}

/** The operations that show which records have a health check, and what nodes found. */
export function healthStateHandlers({ states, domains, nodes, clock }: HealthStateDeps): Pick<Operations, Named> {
  async function domainOf(call: Call, id: bigint): Promise<NSDomainSummary | undefined> {
    return (await domains.summaries(call, [idField("nsDomainId", id)])).get(id);
  }

  /** Returns the reports that count, by record. */
  async function reportsOf(call: Call, ids: readonly bigint[], nodeIds: readonly bigint[]) {
    const since = unixSeconds(clock) - REPORT_SECONDS;
    return Map.groupBy(
      await states.reports.all(call, { ids, nodeIds, since, size: MAX_REPORTS }),
      ({ nsRecordId }) => nsRecordId,
    );
  }

  return {
    async listNSRecordHealthStates(request, call) {
      const page = pageOf(request, { maxSize: MAX_SIZE });
      const domain = await domainOf(call, request.nsDomainId);
      if (domain === undefined) return {};
      const nodeIds = await nodes?.activeNodes(call, domain.nsClusterId) ?? [];
      const rows = await states.list(call, filterOf(domain, request), page);
      const ids = rows.map(({ id }) => id);
      const [outages, reports] = await Promise.all([states.outages.all(call, { ids }), reportsOf(call, ids, nodeIds)]);
      const sinceOf = new Map(outages.map(({ nsRecordId, beganAt }) => [nsRecordId, beganAt]));
      // the nodes are the operator's
      const shown = call.caller.role === "user" ? [] : [...reports.values()].flat();
      const names = await nodes?.names(call, distinct(shown.map(({ nsNodeId }) => nsNodeId)));
      return {
        countActiveNodes: BigInt(nodeIds.length),
        healthStates: rows.map((row) => ({
          nsRecordId: row.id,
          name: row.name,
          type: row.type,
          value: row.value,
          state: stateOf(row, domain, sinceOf.has(row.id)),
          downSince: sinceOf.get(row.id) ?? 0n,
          ...effectiveCheck(row, domain),
          countReports: reports.get(row.id)?.[0]?.count ?? 0n,
          reports: shown.filter(({ nsRecordId }) => nsRecordId === row.id).map(({ nsNodeId, reportedAt }) => ({
            nsNodeId,
            nsNodeName: names?.get(nsNodeId) ?? "",
            reportedAt,
          })),
        })),
      };
    },

    async countNSRecordHealthStates(request, call) {
      const domain = await domainOf(call, request.nsDomainId);
      return { count: domain === undefined ? 0n : await states.count(call, filterOf(domain, request)) };
    },
  };
}

function filterOf(domain: NSDomainSummary, { isDown }: { readonly isDown: boolean }): HealthFilter {
  return { nsDomainId: domain.id, isDomainChecked: isChecked(domain.recordsHealthCheckJSON), isDown };
}

function stateOf(row: NSRecordRow, domain: NSDomainSummary, hasOutage: boolean): string {
  if (row.isUp === 0n) return hasOutage ? "down" : "out";
  return "healthCheckJSON" in fedContent(row, domain) ? "unchecked" : "up";
}
