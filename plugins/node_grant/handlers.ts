import { type Call, choiceField, type Handlers, invalid, kernelErrors, textField, type UseCheck } from "edgehelm";
import { countRows, deleteRow, findRow, listRows, pageRows, rowMessage } from "edgehelm/rows";
import type { Sealer } from "edgehelm/auth";
import { idOrNoneField, noneField, portField } from "edgehelm/fields";
import type { NodeGrantLogin, NodeGrantLoginTest, NodeGrantSuggestion, NodeGrantTarget } from "./contract.ts";
import { errors } from "./errors.ts";
import { sealSecrets, secretFields, secretsFor } from "./secrets.ts";
import {
  type CreateNodeGrantRequest,
  NodeGrantSchema,
  type NodeGrantService,
  type UpdateNodeGrantRequest,
} from "./proto/service_node_grant_pb.ts";
import type { GrantFields, NodeGrantStore } from "./store.ts";

/** The dependencies of the handlers. */
export interface Deps {
  readonly grants: NodeGrantStore;
  readonly sealer: Sealer;
  /** Returns the decrypted credentials of a grant. */
  readonly login: (call: Call, id: bigint) => Promise<NodeGrantLogin | undefined>;
  readonly uses: readonly UseCheck[];
  readonly suggestions: readonly NodeGrantSuggestion[];
  readonly targets: readonly NodeGrantTarget[];
  readonly tests: readonly NodeGrantLoginTest[];
}

const grantMessage = rowMessage(NodeGrantSchema, ["id", "name", "method", "username", "su", "description", "nodeId"]);

export function nodeGrantHandlers(
  { grants, sealer, login, uses, suggestions, targets, tests }: Deps,
): Handlers<typeof NodeGrantService> {
  async function requireNode(call: Call, nodeId: bigint): Promise<void> {
    if (targets.length === 0) noneField("nodeId", nodeId);
    if (nodeId === 0n) return;
    for (const target of targets) await target.requireNode(call, "nodeId", nodeId);
  }

  return {
    async createNodeGrant(request, call) {
      const fields = grantFields(request);
      const sealedFor = crypto.randomUUID();
      const sealed = await sealSecrets(sealer, sealedFor, secretFields(request));
      const secrets = secretsFor(fields.method, sealed);
      return await call.transact(async (inner) => {
        await requireNode(inner, fields.nodeId);
        const { id } = await grants.insert.one(inner, { ...fields, ...secrets, sealedFor });
        return { nodeGrantId: id };
      });
    },

    async updateNodeGrant(request, call) {
      const fields = grantFields(request);
      const { id, sealedFor } = await grants.require(call, "nodeGrantId", request.nodeGrantId);
      const sealed = await sealSecrets(sealer, sealedFor, secretFields(request));
      await call.transact(async (inner) => {
        const current = await grants.require(inner, "nodeGrantId", id);
        if (fields.nodeId !== current.nodeId) await requireNode(inner, fields.nodeId);
        const secrets = secretsFor(fields.method, sealed, current);
        await grants.update.run(inner, { id, ...fields, ...secrets });
      });
      return {};
    },

    disableNodeGrant: deleteRow(grants, "nodeGrantId", { uses, inUse: errors.in_use }),

    countAllEnabledNodeGrants: countRows(grants.list, keywordOf),
    listEnabledNodeGrants: pageRows(grants.list, "nodeGrants", grantMessage, keywordOf),
    findAllEnabledNodeGrants: listRows(grants.list, "nodeGrants", grantMessage, () => ({ keyword: "" })),
    findEnabledNodeGrant: findRow(grants, "nodeGrantId", "nodeGrant", grantMessage),

    async testNodeGrant({ nodeGrantId, host, port }, call) {
      const address = { host: textField("host", host, { min: 1 }), port: portField("port", port) };
      const { id } = await grants.require(call, "nodeGrantId", nodeGrantId);
      const [test] = tests;
      if (test === undefined) {
        throw kernelErrors.unavailable("testing a grant requires SSH, which this host does not have");
      }
      const error = await test.test(call, (await login(call, id))!, address);
      // writes the audit record: the grant was used
      await call.transact(() => Promise.resolve());
      return { isOk: error === undefined, error: error ?? "" };
    },

    async findSuggestNodeGrants({ nodeClusterId, nsClusterId }, call) {
      const ids = new Set<bigint>();
      for (const suggestion of suggestions) {
        for (const id of await suggestion.grantsOf(call, { nodeClusterId, nsClusterId })) ids.add(id);
      }
      return { nodeGrants: (await grants.byIds.all(call, { ids: [...ids] })).map(grantMessage) };
    },
  };
}

function grantFields(request: CreateNodeGrantRequest | UpdateNodeGrantRequest): GrantFields {
  const method = choiceField("method", request.method, ["user", "privateKey"]);
  const username = textField("username", request.username, { min: method === "user" ? 1 : 0, max: 64 });
  if (/[\s\0:]/.test(username)) throw invalid("username", "must not contain white space or :");
  return {
    name: textField("name", request.name, { min: 1 }),
    method,
    username: username || "root",
    su: request.su,
    description: textField("description", request.description, { max: 1000 }),
    nodeId: idOrNoneField("nodeId", request.nodeId),
  };
}

function keywordOf({ keyword }: { readonly keyword: string }) {
  return { keyword: keyword.trim() };
}
