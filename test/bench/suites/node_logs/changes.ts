import type { Installation } from "../../installation/installation.ts";
import type { HttpCall } from "../../load/http_call.ts";
import { median } from "../../report/statistics.ts";
import type { Measurement } from "../../suite.ts";
import type { FilledLogs } from "./data.ts";

const BATCH = 1000;
const TIMES = 3;

/** Writing a thousand logs, and changing one. */
export function changeCalls({ rows, nodeId }: FilledLogs): Record<string, HttpCall> {
  const logs = Array.from({ length: BATCH }, (_, at) => JSON.stringify(logOf(nodeId, at, "<unique>")));
  const change = (operation: string): HttpCall => ({
    path: `/NodeLogService/${operation}`,
    body: `{"nodeLogIds":[<random ${Math.floor(rows / 2)} ${rows}>]}`,
    expected: '"code":200',
  });
  return {
    create_1000: { path: "/NodeLogService/createNodeLogs", body: `{"nodeLogs":[${logs}]}`, expected: '"code":200' },
    read_one: change("updateNodeLogsRead"),
    fix_one: change("fixNodeLogs"),
  };
}

/** A change of all logs, each time after a thousand new ones. */
export function changeEverythingMeasurement(
  name: string,
  operation: string,
  ours: Installation,
  { nodeId }: FilledLogs,
): Measurement {
  return {
    figures: [{ name, unit: "ms" }],
    async measure() {
      const milliseconds: number[] = [];
      for (let time = 0; time < TIMES; time++) {
        const nodeLogs = Array.from({ length: BATCH }, (_, at) => logOf(nodeId, at, crypto.randomUUID()));
        await ours.call("/NodeLogService/createNodeLogs", { nodeLogs });
        const started = performance.now();
        await ours.call(`/NodeLogService/${operation}`, {});
        milliseconds.push(performance.now() - started);
      }
      return [median(milliseconds)];
    },
  };
}

function logOf(nodeId: number, at: number, id: string) {
  return {
    role: "node",
    nodeId,
    level: at % 5 === 0 ? "error" : "info",
    tag: "BENCH",
    description: `benchmark log ${id} of a node that has much to say about its origins`,
  };
}
