import type { Db } from "edgehelm";
import type { Generated } from "kysely";

export interface Tables {
  nodeClusterMetricItems: { id: Generated<bigint>; nodeClusterId: bigint; metricItemId: bigint };
}

/** A metric that is enabled in a cluster. */
export interface Pair {
  readonly nodeClusterId: bigint;
  readonly metricItemId: bigint;
}

/** Returns the statements of this plugin. */
export function nodeClusterMetricItemStore(db: Db<Tables>) {
  return {
    insert: db.query((q, p: Pair) =>
      q.insertInto("nodeClusterMetricItems").values({ nodeClusterId: p.nodeClusterId, metricItemId: p.metricItemId })
        .onConflict((conflict) => conflict.doNothing())
    ),
    delete: db.query((q, p: Pair) =>
      q.deleteFrom("nodeClusterMetricItems").where("nodeClusterId", "=", p.nodeClusterId)
        .where("metricItemId", "=", p.metricItemId)
    ),
    deleteOfCluster: db.query((q, p: { nodeClusterId: bigint }) =>
      q.deleteFrom("nodeClusterMetricItems").where("nodeClusterId", "=", p.nodeClusterId)
    ),
    find: db.query((q, p: Pair) =>
      q.selectFrom("nodeClusterMetricItems").select("id").where("nodeClusterId", "=", p.nodeClusterId)
        .where("metricItemId", "=", p.metricItemId)
    ),
    ofCluster: db.query((q, p: { nodeClusterId: bigint }) =>
      q.selectFrom("nodeClusterMetricItems").select("metricItemId").where("nodeClusterId", "=", p.nodeClusterId)
        .orderBy("id", "desc")
    ),
    ofItem: db.query((q, p: { metricItemId: bigint }) =>
      q.selectFrom("nodeClusterMetricItems").select("nodeClusterId").where("metricItemId", "=", p.metricItemId)
        .orderBy("id", "desc")
    ),
    someOfItem: db.query((q, p: { metricItemId: bigint; limit: number }) =>
      q.selectFrom("nodeClusterMetricItems").select("nodeClusterId").where("metricItemId", "=", p.metricItemId)
        .orderBy("id", "desc").limit(p.limit)
    ),
  };
}

export type NodeClusterMetricItemStore = ReturnType<typeof nodeClusterMetricItemStore>;
