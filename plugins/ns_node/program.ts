import { jsonField } from "edgehelm";
import type { SealedSecrets } from "edgehelm/auth";
import { SSHLoginSchema } from "edgehelm/proto/shapes/ssh_login_pb.js";
import type { NodeProgram } from "../node_installation/contract.ts";
import type { NSNodeStore } from "./store.ts";

/** Describes the program of DNS nodes to the plugin node_installation. */
export function nsNodeProgram(nodes: NSNodeStore, secrets: SealedSecrets): NodeProgram {
  return {
    role: "dns",
    module: "ns",
    name: "edge-dns",
    async find(call, id) {
      const node = await nodes.byId.first(call, { id });
      if (node === undefined) return undefined;
      const login = await nodes.loginOf.first(call, { nsNodeId: id });
      const { name, uniqueId, installDir, apiNodeAddrsJSON } = node;
      return {
        ...{ name, uniqueId, installDir, apiNodeAddrsJSON },
        secret: await secrets.open(uniqueId, node.secret),
        login: login && jsonField("params", login.params, SSHLoginSchema)!,
      };
    },
    installed: async (call, id) => void await nodes.markInstalled.run(call, { id }),
  };
}
