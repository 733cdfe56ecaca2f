import { choiceField, type Handlers, jsonBytes, pageOf, textField, type UseCheck } from "edgehelm";
import { deleteRow } from "edgehelm/rows";
import { durationJSON, orUnchanged, sizeJSON } from "edgehelm/fields";
import { jsonListBytes } from "edgehelm/wire";
import type { NodeClusters } from "../node_cluster/contract.ts";
import { policyConfig } from "./config.ts";
import { defaults } from "./defaults.ts";
import { errors } from "./errors.ts";
import { PolicyLists } from "./lists.ts";
import { checkOptions, checkRefs, POLICY_TYPES } from "./rules.ts";
import type { CreateHTTPCachePolicyRequest, HTTPCachePolicyService } from "./proto/service_http_cache_policy_pb.ts";
import { HTTPCachePolicyConfigSchema } from "./proto/shapes_pb.ts";
import type { HTTPCachePolicyRow, HTTPCachePolicyStore } from "./store.ts";
import { markClusters } from "./uses.ts";

type Settings = Omit<CreateHTTPCachePolicyRequest, "$typeName" | "$unknown">;
type JSONFields = Pick<HTTPCachePolicyRow, "capacityJSON" | "maxSizeJSON" | "optionsJSON" | "fetchTimeoutJSON">;

const NEW_POLICY: JSONFields = { ...defaults, optionsJSON: new Uint8Array(), fetchTimeoutJSON: new Uint8Array() };

export function httpCachePolicyHandlers(
  policies: HTTPCachePolicyStore,
  clusters: NodeClusters | undefined,
  uses: readonly UseCheck[],
): Handlers<typeof HTTPCachePolicyService> {
  const lists = new PolicyLists(policies, clusters);

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
      await markClusters(call, clusters, row.id);
      return {};
    },

    async updateHTTPCachePolicyRefs({ httpCachePolicyId, refsJSON }, call) {
      const { id } = await policies.require(call, "httpCachePolicyId", httpCachePolicyId);
      checkRefs("refsJSON", refsJSON);
      if (refsJSON.length === 0) return {};
      await policies.setRefs.run(call, { id, refsJSON });
      await markClusters(call, clusters, id);
      return {};
    },

    deleteHTTPCachePolicy: deleteRow(policies, "httpCachePolicyId", { uses, inUse: errors.in_use }),

    async findAllEnabledHTTPCachePolicies(_request, call) {
      const rows = await policies.all.all(call, {});
      return { cachePolicies: rows.map(({ id, name, isOn }) => ({ id, name, isOn: isOn === 1n })) };
    },

    countAllEnabledHTTPCachePolicies: async (request, call) => ({ count: await lists.count(call, request) }),

    async listEnabledHTTPCachePolicies(request, call) {
      const rows = await lists.page(call, request, pageOf(request));
      return { httpCachePoliciesJSON: jsonListBytes(HTTPCachePolicyConfigSchema, rows.map(policyConfig)) };
    },

    async findEnabledHTTPCachePolicyConfig({ httpCachePolicyId }, call) {
      const row = await policies.byId.first(call, { id: httpCachePolicyId });
      return row === undefined
        ? {}
        : { httpCachePolicyJSON: jsonBytes(HTTPCachePolicyConfigSchema, policyConfig(row)) };
    },

    async findEnabledHTTPCachePolicy({ httpCachePolicyId }, call) {
      const row = await policies.byId.first(call, { id: httpCachePolicyId });
      if (row === undefined) return {};
      const { id, name, isOn, maxSizeJSON } = row;
      return { httpCachePolicy: { id, name, isOn: isOn === 1n, maxBytesJSON: maxSizeJSON } };
    },
  };
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
