import { Installation } from "../../installation/installation.ts";
import { callLatencyMeasurement } from "../../measurement/call_latency.ts";
import { memoryMeasurement } from "../../measurement/server.ts";
import type { Suite } from "../../suite.ts";
import { auditCalls } from "./audit_calls.ts";
import { changeCalls, changeEverythingMeasurement } from "./changes.ts";
import { fillAuditLogs, fillLogs } from "./data.ts";
import { listCalls } from "./lists.ts";

const ROWS = 1_000_000;

/** What node logs and audit logs cost at a million rows of each. */
export const nodeLogs: Suite = {
  async open({ root, seconds, rows = ROWS, progress }) {
    const ours = await Installation.start(root);
    await ours.stop();
    progress.note(`filling the database with ${rows} node logs and as many audit logs`);
    const now = Math.floor(Date.now() / 1000);
    const filled = fillLogs(ours.databasePath, rows, now);
    fillAuditLogs(ours.databasePath, rows, now);
    await ours.start();
    const calls = { ...listCalls(filled), ...auditCalls(rows), ...changeCalls(filled) };
    return {
      measurements: [
        ...Object.entries(calls).map(([name, call]) =>
          callLatencyMeasurement(name, () => ours.httpPort, () => ({ ...call, headers: ours.headers }), seconds)
        ),
        changeEverythingMeasurement("read_all", "updateAllNodeLogsRead", ours, filled),
        changeEverythingMeasurement("fix_all", "fixAllNodeLogs", ours, filled),
        memoryMeasurement("memory_after", () => ours.server),
      ],
      [Symbol.asyncDispose]: () => ours[Symbol.asyncDispose](),
    };
  },
};
