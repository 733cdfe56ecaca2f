import { type Call, idField, invalid, jsonBytes, pageOf, textField, unixSeconds } from "edgehelm";
import { newAccessKeySecret } from "edgehelm/auth";
import type { NodeLogin } from "edgehelm/proto/models/node_pb.js";
import { SSHLoginSchema } from "edgehelm/proto/shapes/ssh_login_pb.js";
import { nodeLoginField } from "../../node_base/contract.ts";
import { ACTIVE_SECONDS } from "../rules.ts";
import type { NSNodeLoginRow, NSNodeRow } from "../store.ts";
import { type Deps, nodeMessages, type Operations } from "./deps.ts";

type NodeOperations =
  | "findAllNSNodesWithNSClusterId"
  | "countAllNSNodes"
  | "countAllNSNodesMatch"
  | "listNSNodesMatch"
  | "createNSNode"
  | "deleteNSNode"
  | "findNSNode"
  | "updateNSNode"
  | "updateNSNodeLogin";

const MAX_KEYWORD_LENGTH = 255;
/** The role of DNS nodes in plugins that handle nodes of all kinds. */
const ROLE = "dns";

/** Implements the operations that create, change, find and list nodes. */
export function nodeHandlers(deps: Deps): Pick<Operations, NodeOperations> {
  const { nodes, lists, clusters, grants, secrets, tokens, installer, presence, addresses, logs, clock } = deps;

  function filterOf(request: { nsClusterId: bigint; installState: number; activeState: number; keyword: string }) {
    const { nsClusterId, installState, activeState } = request;
    for (const [field, state] of [["installState", installState], ["activeState", activeState]] as const) {
      if (![0, 1, 2].includes(state)) throw invalid(field, `must be 0, 1 or 2, got ${state}`);
    }
    const keyword = textField("keyword", request.keyword, { max: MAX_KEYWORD_LENGTH });
    return { nsClusterId, installState, activeState, keyword, activeSince: unixSeconds(clock) - ACTIVE_SECONDS };
  }
  const noFilter = () => filterOf({ nsClusterId: 0n, installState: 0, activeState: 0, keyword: "" });

  /** Updates the login with the given id, or replaces the login if the id is 0. */
  async function setLogin(call: Call, nsNodeId: bigint, nodeLogin: NodeLogin): Promise<void> {
    const { name, type, ...ssh } = nodeLoginField("nodeLogin", nodeLogin);
    if (ssh.grantId !== 0n) await grants?.requireGrant(call, "nodeLogin.params.grantId", ssh.grantId);
    const login = { name, type, grantId: ssh.grantId, params: jsonBytes(SSHLoginSchema, ssh) };
    const stored = await nodes.loginOf.first(call, { nsNodeId });
    if (nodeLogin.id !== 0n) {
      if (stored === undefined || stored.id !== nodeLogin.id) {
        throw invalid("nodeLogin.id", `login ${nodeLogin.id} does not exist on this node`);
      }
      await nodes.updateLogin.run(call, { ...stored, ...login });
    } else {
      await nodes.deleteLogin.run(call, { nsNodeId });
      await nodes.insertLogin.run(call, { nsNodeId, ...login });
    }
  }

  return {
    async createNSNode({ name, nodeClusterId, nodeLogin }, call) {
      const uniqueId = crypto.randomUUID().replaceAll("-", "");
      const secret = await secrets.seal(uniqueId, newAccessKeySecret());
      const nsNodeId = await call.transact(async (inner) => {
        const { id: nsClusterId } = await clusters.requireCluster(inner, "nodeClusterId", nodeClusterId);
        const { id } = await nodes.insert.one(inner, {
          nsClusterId,
          name: textField("name", name, { min: 1 }),
          uniqueId,
          secret,
          createdAt: unixSeconds(clock),
        });
        if (nodeLogin !== undefined) await setLogin(inner, id, nodeLogin);
        return id;
      });
      return { nsNodeId };
    },

    async updateNSNode({ nsNodeId, name, nsClusterId, nodeLogin, isOn }, call) {
      const { id } = await nodes.require(call, "nsNodeId", nsNodeId);
      await clusters.requireCluster(call, "nsClusterId", nsClusterId);
      await nodes.update.run(call, { id, name: textField("name", name, { min: 1 }), nsClusterId, isOn });
      await addresses?.nodeChanged(call, ROLE, id, { isOn, nodeClusterId: nsClusterId });
      if (nodeLogin === undefined) await nodes.deleteLogin.run(call, { nsNodeId: id });
      else await setLogin(call, id, nodeLogin);
      if (!isOn) await tokens.end(call, { role: "dns", subjectId: id });
      return {};
    },

    async updateNSNodeLogin({ nsNodeId, nodeLogin }, call) {
      const { id } = await nodes.require(call, "nsNodeId", nsNodeId);
      if (nodeLogin === undefined) throw invalid("nodeLogin", "must not be empty");
      await setLogin(call, id, nodeLogin);
      return {};
    },

    async deleteNSNode({ nsNodeId }, call) {
      const { id } = await nodes.require(call, "nsNodeId", nsNodeId);
      await nodes.remove.run(call, { id });
      await nodes.deleteLogin.run(call, { nsNodeId: id });
      await addresses?.nodeDeleted(call, ROLE, id);
      await logs?.removeOfNode(call, ROLE, id);
      await installer?.forget(call, id);
      await presence.deleted(call, id);
      await tokens.end(call, { role: "dns", subjectId: id });
      return {};
    },

    async findNSNode({ nsNodeId }, call) {
      const [nsNode] = await nodeMessages(deps, call, await nodes.byId.all(call, { id: nsNodeId }));
      if (nsNode === undefined) return {};
      const login = await nodes.loginOf.first(call, { nsNodeId });
      return { nsNode: { ...nsNode, ...(login && { nodeLogin: loginMessage(login) }) } };
    },

    async findAllNSNodesWithNSClusterId({ nsClusterId }, call) {
      const filter = { ...noFilter(), nsClusterId: idField("nsClusterId", nsClusterId) };
      return { nsNodes: await messages(call, await lists.list(call, filter)) };
    },

    async countAllNSNodes(_request, call) {
      return { count: await lists.count(call, noFilter()) };
    },

    async countAllNSNodesMatch(request, call) {
      return { count: await lists.count(call, filterOf(request)) };
    },

    async listNSNodesMatch(request, call) {
      const page = pageOf(request);
      return { nsNodes: await messages(call, await lists.list(call, filterOf(request), page)) };
    },
  };

  async function messages(call: Call, rows: readonly NSNodeRow[]) {
    return await nodeMessages(deps, call, rows);
  }
}

function loginMessage({ id, name, type, params }: NSNodeLoginRow) {
  return { id, name, type, params };
}
