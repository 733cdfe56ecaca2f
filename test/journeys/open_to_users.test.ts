import { expect, test } from "vitest";
import { openDay } from "./day_rig.ts";

/** Returns the members of an object that are not zero. */
function shown(message: Record<string, unknown> | undefined): object | undefined {
  if (message === undefined) return undefined;
  const isZero = (value: unknown) => [0, "", false].includes(value as string) || Array.isArray(value) && !value.length;
  return Object.fromEntries(
    Object.entries(message).filter(([, value]) => !isZero(value))
      .map(([name, value]) => [name, Array.isArray(value) && typeof value[0] === "object" ? value.map(shown) : value]),
  );
}

test("users find clusters, nodes and API nodes without secrets", async () => {
  await using day = await openDay();
  const { admin } = day;
  const ada = await day.user("ada");
  const name = "Frankfurt";
  const sshParamsJSON = { port: 2222 };
  const { nodeClusterId } = await admin.post("NodeClusterService/createNodeCluster", {
    ...{ name, dnsName: "fra", installDir: "/srv/edge", sshParamsJSON },
  });
  await day.edgeNode("fra-1", nodeClusterId);
  const { nodes: [{ id: nodeId }] } = await admin.post(
    "NodeService/findAllEnabledNodesWithNodeClusterId",
    { nodeClusterId },
  );
  const address = { nodeId, role: "node", isUp: true };
  const ips = [{ ip: "192.0.2.1", canAccess: true }, { ip: "10.0.0.1", canAccess: false }];
  for (const ip of ips) await admin.post("NodeIPAddressService/createNodeIPAddress", { ...address, ...ip, name: "x" });
  const { nodeCluster } = await ada.post("NodeClusterService/findEnabledNodeCluster", { nodeClusterId });
  expect(shown(nodeCluster)).toEqual({ id: nodeClusterId, name, isOn: true, dnsName: "fra" });
  expect(await ada.post("NodeClusterService/findEnabledNodeCluster", { nodeClusterId: 999 })).toEqual({});

  const { nodes } = await ada.post("NodeService/findAllEnabledNodesWithNodeClusterId", { nodeClusterId });
  const ipAddresses = [{ id: 1, nodeId, ip: "192.0.2.1", canAccess: true, isOn: true, isUp: true }];
  expect(nodes.map(shown)).toEqual([{ id: nodeId, name: "fra-1", isOn: true, isUp: true, ipAddresses }]);

  const accessAddrsJSON = [{ protocol: "https", host: "api.example.com", portRange: "8003" }];
  const listenJSON = { isOn: true, listen: [{ protocol: "http", host: "10.0.0.2", portRange: "8001" }] };
  const apiNode = { name: "east", isOn: true, accessAddrsJSON, httpJSON: listenJSON, description: "rack 7" };
  const { apiNodeId } = await admin.post("APINodeService/createAPINode", apiNode);
  const found = await ada.post("APINodeService/findEnabledAPINode", { apiNodeId });
  const accessAddrs = ["https://api.example.com:8003"];
  expect(shown(found.apiNode)).toEqual({
    ...{ id: apiNodeId, name: "east", isOn: true, accessAddrs, accessAddrsJSON: btoa(JSON.stringify(accessAddrsJSON)) },
  });
  const off = await admin.post("APINodeService/createAPINode", { ...apiNode, isOn: false });
  expect(await ada.post("APINodeService/findEnabledAPINode", off)).toEqual({});
});

test("users find DNS clusters that are open to them, to choose one", async () => {
  await using day = await openDay();
  const { admin } = day;
  const [ada, bob] = [await day.user("ada"), await day.user("bob")];
  const hosts = ["ns1.edge.test", "ns2.edge.test"];
  const create = async (request: object) =>
    (await admin.post("NSClusterService/createNSCluster", { name: "eu", hosts, email: "dns@edge.test", ...request }))
      .nsClusterId;
  const [open, restricted] = [await create({}), await create({ openToJSON: { userIds: [ada.id] } })];
  for (const nsClusterId of [open, restricted]) {
    const { nsCluster } = await ada.post("NSClusterService/findNSCluster", { nsClusterId });
    expect(shown(nsCluster)).toEqual({ id: nsClusterId, name: "eu", isOn: true, hosts });
  }
  expect(await bob.post("NSClusterService/findNSCluster", { nsClusterId: restricted })).toEqual({});
  await bob.post("NSDomainService/createNSDomain", { nsClusterId: open, name: "bob.example" });
});
