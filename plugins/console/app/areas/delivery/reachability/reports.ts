import { callPath } from "../../../shell/call.ts";

export const TASKS = {
  list: "ReportNodeService/listReportNodeTasks",
  field: "ipAddrReportTasks",
  count: "ReportNodeService/countAllReportNodeTasks",
};
export const REGIONS = "ReportResultService/findReportResultRegions";
export const RESULTS = "ReportResultService/findAllReportResults";

/** The quality of the connection to an address. */
export interface Measured {
  readonly costMs: number;
  readonly level: string;
}

/** An address that report nodes measure. */
export interface ReportTask extends Measured {
  readonly ip: string;
  readonly connectivity: number;
  readonly nodeIPAddress?: { readonly id: bigint; readonly nodeId: bigint; readonly isUp: boolean };
}

/** The combined results of the report nodes of one location and carrier. */
export interface Region extends Measured {
  readonly location: string;
  readonly isp: string;
  readonly countReportNodes: bigint;
  readonly countReached: bigint;
  readonly updatedAt: bigint;
}

/** The last result of one report node. */
export interface Result extends Measured {
  readonly reportNodeId: bigint;
  readonly reportNodeName?: string;
  readonly location?: string;
  readonly isp?: string;
  readonly targetDesc: string;
  readonly isOk: boolean;
  readonly error: string;
  readonly updatedAt: bigint;
}

/** Loads how an address is seen from each region, and from each report node. */
export async function loadViews(targetId: bigint, signal?: AbortSignal) {
  const target = { type: "ipAddr", targetId };
  const [{ regions }, { reportResults }] = await Promise.all([
    callPath(REGIONS, target, signal),
    callPath(RESULTS, target, signal),
  ]);
  return { regions: regions as readonly Region[], results: reportResults as readonly Result[] };
}
