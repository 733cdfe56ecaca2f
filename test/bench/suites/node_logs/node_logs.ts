import { join } from "node:path";
import { type Installation, startInstallation } from "./installation.ts";
import { fillAuditLogs, type FilledLogs, fillLogs } from "./node_logs_data.ts";
import { median, rounded } from "./statistics.ts";

const CALLS = 20;
const BATCH = 1000;
const DAY = 86_400;
const [LIST, COUNT] = ["/NodeLogService/listNodeLogs", "/NodeLogService/countNodeLogs"];

/** What node logs and audit logs cost at ten million of each, or `rows`: the milliseconds of one call, as a client sees them. */
export async function benchNodeLogs(
  rounds: number,
  _milliseconds: number,
  rows: number,
): Promise<Record<string, number>> {
  const empty = await startInstallation();
  let ours = empty;
  try {
    await ours.server.stop();
    const started = performance.now();
    const [path, now] = [join(ours.directory, "edgehelm.db"), Math.floor(Date.now() / 1000)];
    const filled = fillLogs(path, rows, now);
    fillAuditLogs(path, rows, now);
    const fillSeconds = rounded((performance.now() - started) / 1000, 0);
    ours = await startInstallation({ directory: ours.directory });
    return {
      rows,
      ...await listFigures(ours, rounds, filled),
      ...await auditFigures(ours, rounds, rows),
      ...await changeFigures(ours, rounds, filled),
      fill_s: fillSeconds,
      rss_mb: rounded(ours.server.residentMegabytes(), 0),
      rounds,
    };
  } finally {
    await ours.remove();
  }
}

type Ask = (call: number) => Promise<unknown>;

async function measured(asks: Record<string, Ask>, rounds: number, calls = CALLS): Promise<Record<string, number>> {
  const times = new Map(Object.keys(asks).map((figure) => [figure, [] as number[]]));
  for (let round = -1; round < rounds; round++) {
    for (const [figure, ask] of Object.entries(asks)) {
      for (let call = 0; call < calls; call++) {
        const started = performance.now();
        await ask(round * calls + call + calls);
        if (round >= 0) times.get(figure)!.push(performance.now() - started);
      }
    }
  }
  return Object.fromEntries([...times].map(([figure, all]) => [figure, rounded(median(all))]));
}

export async function listFigures(
  ours: Installation,
  rounds: number,
  filled: FilledLogs,
): Promise<Record<string, number>> {
  const list = async (request: object, least = 20) => {
    const { nodeLogs } = await ours.call<{ nodeLogs: unknown[] }>(LIST, request);
    if (nodeLogs.length < least) throw new Error(`${nodeLogs.length} rows for ${JSON.stringify(request)}`);
  };
  const count = async (request: object) => (await ours.call<{ count: number }>(COUNT, request)).count;
  const { rows, nodeId, serverId, originId } = filled;
  const node = { role: "node", nodeId };
  const dayFrom = new Date(Date.now() - DAY * 1000).toISOString().slice(0, 10);
  const days = { dayFrom, dayTo: dayFrom };
  /** Every call asks for another page or text, so that nothing is answered from what the last one left. */
  return await measured({
    list_first_ms: (call) => list({ offset: call }),
    list_deep_ms: (call) => list({ offset: Math.floor(rows * 0.9) - call * 7 }),
    list_1000_ms: (call) => list({ offset: call, size: 1000 }, 1000),
    list_role_ms: (call) => list({ role: "dns", offset: call }),
    list_role_deep_ms: (call) => list({ role: "dns", offset: Math.floor(rows / 12) - call }),
    list_level_deep_ms: (call) => list({ level: "success", offset: Math.floor(rows / 25) - call }),
    list_levels_role_days_deep_ms: (call) =>
      list({ level: "error,warning", role: "node", ...days, offset: Math.floor(rows / 30) - call }),
    list_day_ms: (call) => list({ ...days, offset: call }),
    list_node_ms: (call) => list({ ...node, offset: call }),
    list_node_deep_ms: (call) => list({ ...node, offset: Math.floor(rows / 400) - call }),
    list_node_level_ms: (call) => list({ ...node, level: "error", offset: call }),
    list_site_ms: (call) => list({ serverId, offset: call % 3 }, 1),
    list_origin_ms: (call) => list({ originId, offset: call % 3 }, 0),
    list_sites_error_ms: (call) => list({ allServers: true, level: "warning", offset: call }),
    list_unread_ms: (call) => list({ isUnread: true, offset: call }),
    list_unread_node_ms: (call) => list({ ...node, isUnread: true, offset: call % 3 }, 1),
    list_unfixed_ms: (call) => list({ fixedState: 2, offset: call }),
    list_fixed_none_ms: () => list({ fixedState: 1 }, 0),
    keyword_rare_ms: (call) => list({ keyword: `number ${rows - 1 - call * 6} after` }, 1),
    keyword_common_ms: (call) => list({ keyword: "certificate", offset: call }),
    keyword_none_ms: (call) => list({ keyword: `unheard of ${call}` }, 0),
    keyword_node_ms: (call) => list({ ...node, keyword: "timeout", offset: call }),
    keyword_short_ms: (call) => list({ keyword: "of", offset: call }),
    tag_ms: (call) => list({ tag: "RELOAD", offset: call }),
    count_ms: () => count({}),
    count_role_levels_days_ms: () => count({ role: "node", level: "error,warning", ...days }),
    count_node_ms: () => count(node),
    count_site_ms: () => count({ serverId, level: "error" }),
    count_unfixed_ms: () => count({ fixedState: 2 }),
    count_unread_ms: () => ours.call("/NodeLogService/countAllUnreadNodeLogs", {}),
  }, rounds);
}

export async function auditFigures(ours: Installation, rounds: number, rows: number): Promise<Record<string, number>> {
  const list = async (request: object, least = 20) => {
    const { logs } = await ours.call<{ logs: unknown[] }>("/LogService/listLogs", request);
    if (logs.length < least) throw new Error(`${logs.length} rows for ${JSON.stringify(request)}`);
  };
  const count = (request: object) => ours.call("/LogService/countLogs", request);
  const dayFrom = new Date(Date.now() - DAY * 1000).toISOString().slice(0, 10);
  const days = { dayFrom, dayTo: dayFrom };
  return await measured({
    audit_list_first_ms: (call) => list({ offset: call }),
    audit_list_deep_ms: (call) => list({ offset: Math.floor(rows * 0.9) - call * 7 }),
    audit_keyword_rare_ms: (call) => list({ keyword: `number ${rows - 1 - call * 7} of` }, 1),
    audit_keyword_common_ms: (call) => list({ keyword: "Certificate", offset: call }),
    audit_keyword_day_ms: (call) =>
      list({ keyword: "certificate", userType: "user", level: "warn", ...days, offset: call }),
    audit_keyword_none_ms: (call) => list({ keyword: `unheard of ${call}` }, 0),
    audit_keyword_short_ms: (call) => list({ keyword: "is", offset: call }),
    audit_count_ms: () => count({ level: "error", userType: "admin", ...days }),
    audit_count_keyword_rare_ms: (call) => count({ keyword: `number ${rows - 2 - call * 7} of` }),
    audit_count_keyword_common_ms: () => count({ keyword: "certificate" }),
  }, rounds);
}

export async function changeFigures(
  ours: Installation,
  rounds: number,
  filled: FilledLogs,
): Promise<Record<string, number>> {
  const write = (call: number) =>
    ours.call("/NodeLogService/createNodeLogs", {
      nodeLogs: Array.from({ length: BATCH }, (_, at) => ({
        role: "node",
        nodeId: filled.nodeId,
        level: at % 5 === 0 ? "error" : "info",
        tag: "BENCH",
        description: `benchmark log ${call * BATCH + at} of a node that has much to say about its origins`,
      })),
    });
  const newest = async (request: object) =>
    (await ours.call<{ nodeLogs: { id: number }[] }>(LIST, request)).nodeLogs.map(({ id }) => id);
  const open = await newest({ fixedState: 2, level: "error", size: 1000 });
  const figures = await measured(
    {
      create_1000_ms: write,
      read_one_ms: (call) => ours.call("/NodeLogService/updateNodeLogsRead", { nodeLogIds: [open[call]] }),
      fix_one_ms: (call) => ours.call("/NodeLogService/fixNodeLogs", { nodeLogIds: [open[call]] }),
      read_all_ms: () => ours.call("/NodeLogService/updateAllNodeLogsRead", {}),
      fix_all_ms: () => ours.call("/NodeLogService/fixAllNodeLogs", {}),
    },
    rounds,
    5,
  );
  return { ...figures, ingest_rows_per_s: rounded(BATCH * 1000 / figures.create_1000_ms!, 0) };
}
