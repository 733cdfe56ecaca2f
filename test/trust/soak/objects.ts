import type { Server } from "../../harness/server.ts";

/** The objects that the load reads and changes, and the tokens of its callers. */
export interface LoadObjects {
  readonly tokens: Record<LoadRole, string>;
  readonly keys: Readonly<Record<LoadRole, LoadKey>>;
  readonly nsClusterId: bigint;
  readonly nsDomainIds: readonly bigint[];
  readonly nodeId: bigint;
  readonly serverId: bigint;
  readonly userId: bigint;
}

export type LoadRole = "admin" | "user" | "node" | "dns";

/** The credential that is exchanged for a token. */
interface LoadKey {
  readonly id: string;
  readonly secret: string;
}

const DOMAINS = 200;

/** Creates the objects on a new installation. */
export async function createObjects(server: Server, adminKey: LoadKey): Promise<LoadObjects> {
  // deno-lint-ignore no-explicit-any -- each operation has its own shape of data
  const post = async (path: string, request: object = {}): Promise<any> => {
    const { code, message, data } = await server.post(`/${path}`, request);
    if (code !== 200) throw new Error(`${path}: ${code} ${message}`);
    return data;
  };
  const keyOf = ({ uniqueId, secret }: { uniqueId: string; secret: string }) => ({ id: uniqueId, secret });

  const { nsClusterId } = await post("NSClusterService/createNSCluster", { name: "eu", hosts: ["ns1.edge.test"] });
  const { nsNodeId } = await post("NSNodeService/createNSNode", { name: "ns", nodeClusterId: nsClusterId });
  const { nsNode } = await post("NSNodeService/findNSNode", { nsNodeId });
  const person = { username: "ada", password: "ada walks in the rain", fullname: "Ada" };
  const { userId } = await post("UserService/createUser", person);
  const userKey = await post("UserAccessKeyService/createUserAccessKey", { userId });
  const { nodeClusterId } = await post("NodeClusterService/createNodeCluster", { name: "fra" });
  const { nodeId } = await post("NodeService/createNode", { name: "fra-1", nodeClusterId });
  const { node } = await post("NodeService/findEnabledNode", { nodeId });
  const { serverId } = await post("ServerService/createServer", {
    ...{ type: "httpProxy", nodeClusterId, name: "shop", userId },
    serverNamesJSON: btoa(JSON.stringify([{ name: "www.shop.example" }])),
  });
  const nsDomainIds: bigint[] = [];
  for (let number = 0; number < DOMAINS; number++) {
    const { nsDomainId } = await post("NSDomainService/createNSDomain", { nsClusterId, name: `d${number}.example` });
    nsDomainIds.push(BigInt(nsDomainId));
  }
  const keys = { admin: adminKey, user: keyOf(userKey), node: keyOf(node), dns: keyOf(nsNode) };
  const token = (role: LoadRole) => server.token(keys[role].id, keys[role].secret, role);
  return {
    keys,
    tokens: {
      admin: await token("admin"),
      user: await token("user"),
      node: await token("node"),
      dns: await token("dns"),
    },
    ...{ nsClusterId: BigInt(nsClusterId), nsDomainIds, nodeId: BigInt(nodeId) },
    ...{ serverId: BigInt(serverId), userId: BigInt(userId) },
  };
}
