import { type Call, definePlugin, type Plugin } from "edgehelm";
import { Secrets } from "edgehelm/auth";
import {
  type NodeGrantLogin,
  NodeGrantLoginTests,
  NodeGrants,
  NodeGrantSuggestions,
  NodeGrantTargets,
  NodeGrantUses,
} from "./contract.ts";
import { errors } from "./errors.ts";
import { nodeGrantHandlers } from "./handlers.ts";
import * as createNodeGrants from "./migrations/0001_create_node_grants.ts";
import manifest from "./plugin.json" with { type: "json" };
import { openSecrets, SECRET_COLUMNS } from "./secrets.ts";
import { NodeGrantService } from "./proto/service_node_grant_pb.ts";
import { type GrantFields, nodeGrantStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_node_grants": createNodeGrants },
  sealed: SECRET_COLUMNS.map((column) => ({ table: "nodeGrants", column, row: "sealedFor" })),
  requires: { sealer: Secrets },
  setup({ db, deps: { sealer }, serve, provide, contributions }) {
    const grants = nodeGrantStore(db<Tables>());
    const uses = contributions(NodeGrantUses);
    const suggestions = contributions(NodeGrantSuggestions);
    const targets = contributions(NodeGrantTargets);
    const login = async (call: Call, id: bigint): Promise<NodeGrantLogin | undefined> => {
      const row = await grants.byId.first(call, { id });
      if (row === undefined) return undefined;
      const { username, su, sealedFor } = row;
      const method = row.method as GrantFields["method"];
      return { method, username, su: su === 1n, ...await openSecrets(sealer, sealedFor, row) };
    };
    const tests = contributions(NodeGrantLoginTests);
    serve(NodeGrantService, nodeGrantHandlers({ grants, sealer, login, uses, suggestions, targets, tests }));
    provide(NodeGrants, {
      requireGrant: grants.references(({ id }) => id).require,
      login,
    });
  },
});
export default plugin;
