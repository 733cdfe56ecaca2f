import { type Call, invalid, jsonBytes } from "edgehelm";
import { policyConfig } from "./config.ts";
import type { HTTPCachePolicies, HTTPCachePolicySummary } from "./contract.ts";
import { HTTPCachePolicyConfigSchema } from "./proto/shapes_pb.ts";
import type { HTTPCachePolicyStore } from "./store.ts";

/** Implements the contract on top of the store. */
export function policiesContract(policies: HTTPCachePolicyStore): HTTPCachePolicies {
  async function summaries(call: Call, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, HTTPCachePolicySummary>> {
    const rows = await policies.summaries.all(call, { ids: [...ids] });
    return new Map(rows.map(({ id, name, isOn }) => [id, { id, name, isOn: isOn === 1n }]));
  }
  return {
    summaries,
    async requirePolicy(call, field, id) {
      if ((await summaries(call, [id])).size === 0) throw invalid(field, `cache policy ${id} does not exist`);
    },
    async config(call, id) {
      const row = await policies.byId.first(call, { id });
      return row === undefined ? undefined : jsonBytes(HTTPCachePolicyConfigSchema, policyConfig(row));
    },
  };
}
