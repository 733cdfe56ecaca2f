import type { UseCheck } from "edgehelm";
import type { ReportNodeStore } from "./store.ts";

/** The report nodes in a group keep it from being deleted. */
export function groupUses(nodes: ReportNodeStore): UseCheck {
  return {
    async referencesTo(call, reportNodeGroupId, limit) {
      const rows = await nodes.ofGroup.all(call, { reportNodeGroupId, limit });
      return rows.map(({ name }) => `report node "${name}"`);
    },
  };
}
