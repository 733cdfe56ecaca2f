import { callerId, unixSeconds } from "edgehelm";
import { callingNode } from "../callers.ts";
import { statusField } from "../rules.ts";
import type { Deps, Operations } from "./deps.ts";

type Named = "reportNodeStream" | "updateReportNodeStatus" | "findCurrentReportNodeConfig" | "findReportNodeTasks";

/** The operations for report nodes. */
export function callerHandlers({ nodes, links, tasks, clock }: Deps): Pick<Operations, Named> {
  return {
    async updateReportNodeStatus({ statusJSON }, call) {
      const { id } = await callingNode(nodes, call);
      const status = statusField("statusJSON", statusJSON, unixSeconds(clock), call.remoteAddress);
      await nodes.setStatus.run(call, { id, ...status });
      return {};
    },

    async findCurrentReportNodeConfig(_request, call) {
      const { id } = await callingNode(nodes, call);
      return { reportNodeJSON: new TextEncoder().encode(JSON.stringify({ id: Number(id) })) };
    },

    async findReportNodeTasks(_request, call) {
      await callingNode(nodes, call);
      return { ipAddrTasksJSON: new TextEncoder().encode(JSON.stringify(await tasks.all(call))) };
    },

    async *reportNodeStream(requests, call) {
      const reportNodeId = callerId(call.caller);
      for await (const message of links.serve(call, requests)) yield { reportNodeId, ...message };
    },
  };
}
