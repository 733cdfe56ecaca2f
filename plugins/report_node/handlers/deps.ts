import { type Call, type Clock, type Handlers, unixSeconds } from "edgehelm";
import type { AccessTokens, SealedSecrets } from "edgehelm/auth";
import type { NodeLinks } from "../../node_base/contract.ts";
import type { NodeLogs } from "../../node_log/contract.ts";
import type { ReportNodeGroups } from "../../report_node_group/contract.ts";
import type { ReportMeasurements } from "../contract.ts";
import type { GlobalSetting } from "../global_setting.ts";
import type { Machine } from "../machine.ts";
import { placeOf, SILENT_SECONDS } from "../rules.ts";
import type { ReportNodeService } from "../proto/service_report_node_pb.ts";
import type { ReportNodeRow, ReportNodeStore } from "../store.ts";
import type { ReportTasks } from "../tasks.ts";

/** The dependencies of the handlers. */
export interface Deps {
  readonly nodes: ReportNodeStore;
  readonly groups: ReportNodeGroups | undefined;
  readonly logs: NodeLogs | undefined;
  readonly secrets: SealedSecrets;
  readonly tokens: AccessTokens;
  readonly machine: Machine | undefined;
  readonly links: NodeLinks;
  readonly measurements: readonly ReportMeasurements[];
  readonly tasks: ReportTasks;
  readonly setting: GlobalSetting;
  readonly clock: Clock;
}

export type Operations = Handlers<typeof ReportNodeService>;

/** Returns messages of report nodes with their groups. */
export async function nodeMessages({ groups, secrets, clock }: Deps, call: Call, rows: readonly ReportNodeRow[]) {
  const groupIds = [...new Set(rows.flatMap(groupIdsOf))];
  const groupOf = groupIds.length === 0 ? undefined : await groups?.summaries(call, groupIds);
  const before = unixSeconds(clock) - SILENT_SECONDS;
  return await Promise.all(rows.map(async (row) => ({
    id: row.id,
    uniqueId: row.uniqueId,
    secret: await secrets.open(row.uniqueId, row.secret),
    isOn: row.isOn === 1n,
    ...placeOf(row),
    isActive: row.isActive === 1n && row.statusUpdatedAt >= before,
    statusJSON: row.statusJSON ?? new Uint8Array(),
    allowIPs: JSON.parse(row.allowIPs) as string[],
    reportNodeGroups: groupIdsOf(row).flatMap((id) => groupOf?.get(id) ?? []),
  })));
}

function groupIdsOf({ groupIds }: ReportNodeRow): bigint[] {
  return (JSON.parse(groupIds) as number[]).map(BigInt);
}
