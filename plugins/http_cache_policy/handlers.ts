import { type Call, choiceField, type Handlers, invalid, jsonBytes, pageOf, textField, type UseCheck } from "edgehelm";
import { countRows, deleteRow, findRow, rowMessage } from "edgehelm/rows";
import { durationJSON, orUnchanged, sizeJSON } from "edgehelm/fields";
import { jsonListBytes } from "edgehelm/wire";
import { type NodeClusters, type PolicyFilter, policyList } from "../node_cluster/contract.ts";
import { policyConfig } from "./config.ts";
import { defaults } from "./defaults.ts";
import { errors } from "./errors.ts";
import { checkOptions, checkRefs, POLICY_TYPES, typeFilter } from "./rules.ts";
import {
  type CreateHTTPCachePolicyRequest,
  HTTPCachePolicySchema,
  type HTTPCachePolicyService,
} from "./proto/service_http_cache_policy_pb.ts";
import { HTTPCachePolicyConfigSchema } from "./proto/shapes_pb.ts";
import type { HTTPCachePolicyRow, HTTPCachePolicyStore } from "./store.ts";

type Settings = Omit<CreateHTTPCachePolicyRequest, "$typeName" | "$unknown">;
type JSONFields = Pick<HTTPCachePolicyRow, "capacityJSON" | "maxSizeJSON" | "optionsJSON" | "fetchTimeoutJSON">;

const NEW_POLICY: JSONFields = { ...defaults, optionsJSON: new Uint8Array(), fetchTimeoutJSON: new Uint8Array() };

export const nameMessage = rowMessage(HTTPCachePolicySchema, ["id", "name", "isOn"]);
const policyMessage = rowMessage(HTTPCachePolicySchema, ["id", "name", "isOn"], (row: HTTPCachePolicyRow) => {
  return { maxBytesJSON: row.maxSizeJSON };
});

export function httpCachePolicyHandlers(
  policies: HTTPCachePolicyStore,
  clusters: NodeClusters | undefined,
  uses: readonly UseCheck[],
): Handlers<typeof HTTPCachePolicyService> {
  const list = policyList(policies.list, async (call, { nodeClusterId, type }) => {
    const id = await clusters?.policyOf(call, "http_cache_policy", nodeClusterId) ?? 0n;
    const row = await policies.find(call, id);
    return type === undefined || row?.type === type ? row : undefined;
  });

  /** Marks the clusters that use a policy for update. */
  async function markClusters(call: Call, policyId: bigint): Promise<void> {
    const users = await clusters?.usingPolicy(call, "http_cache_policy", policyId) ?? [];
    if (users.length > 0) await clusters?.configChanged(call, users.map(({ id }) => id));
  }

  return {
    async createHTTPCachePolicy(request, call) {
      const { id } = await policies.insert.one(call, {
        ...settingsOf(request, NEW_POLICY),
        refsJSON: defaults.refsJSON,
      });
      return { httpCachePolicyId: id };
    },

    async updateHTTPCachePolicy(request, call) {
      const row = await policies.require(call, "httpCachePolicyId", request.httpCachePolicyId);
      await policies.update.run(call, { id: row.id, ...settingsOf(request, row) });
      await markClusters(call, row.id);
      return {};
    },

    async updateHTTPCachePolicyRefs({ httpCachePolicyId, refsJSON }, call) {
      const { id } = await policies.require(call, "httpCachePolicyId", httpCachePolicyId);
      const named = checkRefs("refsJSON", refsJSON);
      const found = new Set((await policies.byIds.all(call, { ids: named.map((ref) => ref.id) })).map((row) => row.id));
      const absent = named.find((ref) => !found.has(ref.id));
      if (absent !== undefined) throw invalid(absent.path, errors.not_found(absent.id).message);
      if (refsJSON.length === 0) return {};
      await policies.setRefs.run(call, { id, refsJSON });
      await markClusters(call, id);
      return {};
    },

    deleteHTTPCachePolicy: deleteRow(policies, "httpCachePolicyId", { uses, inUse: errors.in_use }),

    async findAllEnabledHTTPCachePolicies(_request, call) {
      return { cachePolicies: (await policies.allNames.all(call, {})).map(nameMessage) };
    },

    countAllEnabledHTTPCachePolicies: countRows(list, filterOf),

    async listEnabledHTTPCachePolicies(request, call) {
      const rows = await list.page(call, filterOf(request), pageOf(request));
      return { httpCachePoliciesJSON: jsonListBytes(HTTPCachePolicyConfigSchema, rows.map(policyConfig)) };
    },

    async findEnabledHTTPCachePolicyConfig({ httpCachePolicyId }, call) {
      const row = await policies.find(call, httpCachePolicyId);
      return { httpCachePolicyJSON: row && jsonBytes(HTTPCachePolicyConfigSchema, policyConfig(row)) };
    },

    findEnabledHTTPCachePolicy: findRow(policies, "httpCachePolicyId", "httpCachePolicy", policyMessage),
  };
}

function filterOf({ keyword, nodeClusterId, type }: PolicyFilter & { readonly type: string }) {
  return { keyword, nodeClusterId, type: typeFilter(type) };
}

/** Checks the settings of a request; JSON fields that are empty keep the current values. */
function settingsOf(request: Settings, current: JSONFields) {
  const type = choiceField("type", request.type, POLICY_TYPES);
  sizeJSON("capacityJSON", request.capacityJSON);
  sizeJSON("maxSizeJSON", request.maxSizeJSON);
  durationJSON("fetchTimeoutJSON", request.fetchTimeoutJSON);
  const options = orUnchanged(request.optionsJSON, current.optionsJSON);
  checkOptions("optionsJSON", type, options);
  return {
    isOn: request.isOn,
    name: textField("name", request.name, { min: 1 }),
    description: textField("description", request.description, { max: 1000 }),
    type,
    capacityJSON: orUnchanged(request.capacityJSON, current.capacityJSON),
    maxSizeJSON: orUnchanged(request.maxSizeJSON, current.maxSizeJSON),
    optionsJSON: options,
    syncCompressionCache: request.syncCompressionCache,
    fetchTimeoutJSON: orUnchanged(request.fetchTimeoutJSON, current.fetchTimeoutJSON),
  };
}
