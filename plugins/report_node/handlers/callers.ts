import { unixSeconds } from "edgehelm";
import { callingNode } from "../callers.ts";
import { statusField } from "../rules.ts";
import type { Operations, Parts } from "./parts.ts";

type Named = "reportNodeStream" | "updateReportNodeStatus" | "findCurrentReportNodeConfig" | "findReportNodeTasks";

/** An installation without several API servers is the one API node that there is. */
const CONNECTED = new TextEncoder().encode(JSON.stringify({ apiNodeId: 1 }));

/** What report nodes themselves do. */
export function callerHandlers({ nodes, connections, tasks, clock }: Parts): Pick<Operations, Named> {
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
      const id = await call.transact(async (inner) => {
        const node = await callingNode(nodes, inner);
        await nodes.setActive.run(inner, { id: node.id, isActive: true });
        return node.id;
      });
      const connection = connections.open(id);
      try {
        connection.push({ code: "connectedAPINode", dataJSON: CONNECTED, isOk: true });
        for await (const message of connection.exchange(call, requests)) yield { reportNodeId: id, ...message };
      } finally {
        if (connections.close(connection)) {
          await call.transact((inner) => nodes.setActive.run(inner, { id, isActive: false }));
        }
      }
    },
  };
}
