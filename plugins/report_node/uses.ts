import type { UseCheck } from "edgehelm";
import type { ReportNodeStore } from "./store.ts";

/** Prevents groups with report nodes from being deleted. */
export function groupUses(nodes: ReportNodeStore): UseCheck {
  return {
    async referencesTo(call, reportNodeGroupId, limit) {
      const rows = await nodes.ofGroup.all(call, { reportNodeGroupId, limit });
      return rows.map(({ name }) => `report node "${name}"`);
    },
  };
}
