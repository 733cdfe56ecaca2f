import { type Call, invalid, kernelErrors, pageOf, textField, unixSeconds } from "edgehelm";
import { newAccessKeySecret } from "edgehelm/auth";
import { latestPackage } from "../../node_base/contract.ts";
import { nodeFields } from "../rules.ts";
import { type Deps, nodeMessages, type Operations } from "./deps.ts";

type Named =
  | Extract<keyof Operations, `${string}EnabledReportNode${string}`>
  | Extract<keyof Operations, `${string}GlobalSetting` | `${"count" | "list"}${string}Tasks`>
  | "createReportNode"
  | "deleteReportNode"
  | "updateReportNode"
  | "findLatestReportNodeVersion";

/** The operations for admins. */
export function nodeHandlers(deps: Deps): Pick<Operations, Named> {
  const { nodes, groups, logs, secrets, tokens, machine, measurements, tasks, setting, clock } = deps;

  async function requireGroups(call: Call, groupIds: readonly bigint[]): Promise<void> {
    if (groupIds.length === 0) return;
    if (groups === undefined) throw invalid("reportNodeGroupIds", "must be empty: groups are not enabled");
    await groups.requireAll(call, "reportNodeGroupIds", groupIds);
  }

  function filterOf(request: { keyword: string; reportNodeGroupId: bigint }) {
    return { keyword: textField("keyword", request.keyword), reportNodeGroupId: request.reportNodeGroupId };
  }

  return {
    async createReportNode(request, call) {
      const fields = nodeFields(request);
      const uniqueId = crypto.randomUUID().replaceAll("-", "");
      const secret = await secrets.seal(uniqueId, newAccessKeySecret());
      const { id } = await call.transact(async (inner) => {
        await requireGroups(inner, request.reportNodeGroupIds);
        return await nodes.insert.one(inner, { ...fields, uniqueId, secret, createdAt: unixSeconds(clock) });
      });
      return { reportNodeId: id };
    },

    async updateReportNode(request, call) {
      const { id } = await nodes.require(call, "reportNodeId", request.reportNodeId);
      await requireGroups(call, request.reportNodeGroupIds);
      await nodes.update.run(call, { id, ...nodeFields(request), isOn: request.isOn });
      if (!request.isOn) await tokens.end(call, { role: "report", subjectId: id });
      return {};
    },

    async deleteReportNode({ reportNodeId }, call) {
      const { id } = await nodes.require(call, "reportNodeId", reportNodeId);
      await nodes.remove.run(call, { id });
      for (const store of measurements) await store.nodeDeleted(call, id);
      await logs?.removeOfNode(call, "report", id);
      await tokens.end(call, { role: "report", subjectId: id });
      return {};
    },

    async findEnabledReportNode({ reportNodeId }, call) {
      const [reportNode] = await nodeMessages(deps, call, await nodes.byId.all(call, { id: reportNodeId }));
      return reportNode === undefined ? {} : { reportNode };
    },

    async countAllEnabledReportNodes(request, call) {
      const { count, run, values } = nodes.prepare(filterOf(request));
      return (await count[run](call, values))[0]!;
    },

    async listEnabledReportNodes(request, call) {
      const { list, run, values } = nodes.prepare(filterOf(request), pageOf(request));
      return { reportNodes: await nodeMessages(deps, call, await list[run](call, values)) };
    },

    async countAllReportNodeTasks(request, call) {
      return { count: await tasks.count(call, request) };
    },

    async listReportNodeTasks(request, call) {
      return { ipAddrReportTasks: await tasks.list(call, request, pageOf(request)) };
    },

    async findLatestReportNodeVersion(_request, call) {
      if (machine === undefined) throw kernelErrors.unavailable("deploy packages require a file system");
      return { version: latestPackage(await machine.packages(call))?.version ?? "" };
    },

    async updateReportNodeGlobalSetting({ settingJSON }, call) {
      await setting.update(call, settingJSON);
      return {};
    },

    readReportNodeGlobalSetting: async (_request, call) => ({ settingJSON: await setting.masked(call) }),
  };
}
