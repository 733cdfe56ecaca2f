import type { ServerProcess } from "./server_process.ts";

const USERS = 8;
const SITES_OF_USER = 2;
const PACKAGE_GB = 10;

/** Users with sites and domains, and the products that are sold to them. */
export interface Market {
  readonly users: readonly number[];
  /** By the index of their user. */
  readonly sites: readonly (readonly number[])[];
  /** The region whose packages are bought from the account, and the one whose packages are ordered. */
  readonly regions: readonly [number, number];
  readonly nodeId: number;
  readonly nsNodeId: number;
  readonly packageParts: object;
  /** The secret of notices of payments. */
  readonly secret: string;
}

/** Sets an installation up. */
export async function openMarket(server: ServerProcess): Promise<Market> {
  const make = (path: string, body: object) => server.admin(path, body);
  const { nodeClusterId } = await make("NodeClusterService/createNodeCluster", { name: "Frankfurt" });
  const { nodeId } = await make("NodeService/createNode", { name: "fra-1", nodeClusterId });
  const { nsClusterId } = await make("NSClusterService/createNSCluster", { name: "eu", hosts: ["ns1.edge.test"] });
  const { nsNodeId } = await make("NSNodeService/createNSNode", { name: "ns", nodeClusterId: nsClusterId });
  const { orderMethodId } = await make("OrderMethodService/createOrderMethod", {
    ...{ name: "Card", code: "card", parentCode: "webhook", url: "https://pay.test/checkout" },
  });
  const { orderMethod } = await make("OrderMethodService/findEnabledOrderMethod", { orderMethodId });
  const size = { size: PACKAGE_GB, unit: "gb" };
  const packageParts = {
    ...await make("TrafficPackageService/createTrafficPackage", size),
    ...await make("TrafficPackagePeriodService/createTrafficPackagePeriod", { count: 1, unit: "month" }),
  };
  const regions: number[] = [];
  for (const name of ["Accounts", "Orders"]) {
    const { nodeRegionId } = await make("NodeRegionService/createNodeRegion", { name });
    regions.push(nodeRegionId);
    const price = { ...packageParts, nodeRegionId, price: 5 };
    await make("TrafficPackagePriceService/updateTrafficPackagePrice", price);
  }
  const [users, sites]: [number[], number[][]] = [[], []];
  for (let index = 0; index < USERS; index++) {
    const username = `user${index}`;
    const { userId } = await make("UserService/createUser", { username, password: `${username} walks in the rain` });
    users.push(userId);
    const own: number[] = [];
    for (let site = 0; site < SITES_OF_USER; site++) {
      const one = { type: "httpProxy", nodeClusterId, userId, name: `${username} ${site}` };
      own.push((await make("ServerService/createServer", one)).serverId);
    }
    sites.push(own);
    const domain = { nsClusterId, userId, name: `${username}.example` };
    const { nsDomainId } = await make("NSDomainService/createNSDomain", domain);
    await make("NSDomainService/updateNSDomainStatus", { nsDomainId, status: "verified" });
    const address = { name: username, address: "1 Quay\nCork", country: "IE" };
    await server.call("user", userId, "UserInvoiceService/updateUserInvoiceAddress", address);
  }
  return {
    ...{ users, sites, regions: [regions[0]!, regions[1]!] },
    ...{ nodeId, nsNodeId, packageParts, secret: orderMethod.secret },
  };
}
