import { Installation } from "../../installation/installation.ts";
import type { HttpCall } from "../../load/http_call.ts";
import { callLatencyMeasurement } from "../../measurement/call_latency.ts";
import { memoryMeasurement } from "../../measurement/server.ts";
import type { Suite } from "../../suite.ts";
import { auditCalls } from "./audit_calls.ts";
import { changeCalls, changeEverythingMeasurement } from "./changes.ts";
import { fillAuditLogs, fillLogs } from "./data.ts";
import { listCalls } from "./lists.ts";

const ROWS = 1_000_000;

/** The latency of calls on node logs and audit logs, with a million rows of each. */
export const nodeLogs: Suite = {
  async open({ root, seconds, rows = ROWS, progress }) {
    const ours = await Installation.start(root);
    await ours.stop();
    progress.note(`filling the database with ${rows} node logs and as many audit logs`);
    const now = Math.floor(Date.now() / 1000);
    const filled = fillLogs(ours.databasePath, rows, now);
    fillAuditLogs(ours.databasePath, rows, now);
    // what is changed would not be found by lists of the next round
    const changed = new Installation(root);
    await changed.copyData(ours);
    await ours.start();
    await changed.start();
    const latencies = (installation: Installation, calls: Readonly<Record<string, HttpCall>>) =>
      Object.entries(calls).map(([name, call]) => {
        const withToken = () => ({ ...call, headers: installation.headers });
        return callLatencyMeasurement(name, () => installation.httpPort, withToken, seconds);
      });
    return {
      measurements: [
        ...latencies(ours, { ...listCalls(filled), ...auditCalls(rows) }),
        ...latencies(changed, changeCalls(filled)),
        changeEverythingMeasurement("read_all", "updateAllNodeLogsRead", changed, filled),
        changeEverythingMeasurement("fix_all", "fixAllNodeLogs", changed, filled),
        memoryMeasurement("memory_after", () => ours.server),
      ],
      async [Symbol.asyncDispose]() {
        await Promise.all([ours[Symbol.asyncDispose](), changed[Symbol.asyncDispose]()]);
      },
    };
  },
};
