import { describe, expect, test } from "vitest";
import { admin, create, edgehelm, newCluster, newNode, ofNode, rpc, useKernel } from "./rig.ts";

useKernel();

describe("createNodeIPAddress refuses", () => {
  test.each([
    [{ ip: "300.0.0.1" }, 'ip: must be an IP address, got "300.0.0.1"'],
    [{ ip: "example.com" }, "ip: must be an IP address"],
    [{ ip: "1::2::3" }, "ip: must be an IP address"],
    [{ nodeId: 9999n }, "nodeId: node 9999 does not exist"],
    [{ nodeId: 101n, role: "dns" }, "nodeId: dns 101 does not exist"],
    [{ role: "report" }, 'role: must be one of node, dns, got "report"'],
    [{ nodeClusterIds: [9999n] }, "nodeClusterIds[0]: node cluster 9999 does not exist"],
  ])("%o", async (wrong, message) => {
    const request = { nodeId: await newNode(await newCluster()), ip: "192.0.2.5", ...wrong };
    await expect(create(request)).rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });

  test("an address that the node already has, even in another notation", async () => {
    const cluster = await newCluster();
    const [one, two] = [await newNode(cluster), await newNode(cluster)];
    await create({ nodeId: one, ip: "2001:db8::5" });
    const taken = { code: 409, reason: "node_ip_address.taken" };
    await expect(create({ nodeId: one, ip: "2001:db8:0::5" })).rejects.toMatchObject(taken);
    const other = await create({ nodeId: two, ip: "2001:db8::5" });
    await expect(edgehelm.call(admin, rpc.updateNodeIPAddressNodeId, { nodeIPAddressId: other, nodeId: one }))
      .rejects.toMatchObject(taken);
    const list = { nodeId: one, ipList: ["192.0.2.6", "2001:db8::5"] };
    await expect(edgehelm.call(admin, rpc.createNodeIPAddresses, list)).rejects.toMatchObject(taken);
    expect((await ofNode(one)).map(({ ip }) => ip)).toEqual(["2001:db8::5"]);
  });
});

test.each([
  [rpc.updateNodeIPAddress, { ip: "192.0.2.1" }],
  [rpc.updateNodeIPAddressNodeId, { nodeId: 1n }],
  [rpc.updateNodeIPAddressIsUp, {}],
  [rpc.disableNodeIPAddress, {}],
])("$name does not find an address that does not exist", async (method, request) => {
  const change = { ...request, nodeIPAddressId: 9999n };
  await expect(edgehelm.call(admin, method as typeof rpc.updateNodeIPAddressIsUp, change))
    .rejects.toMatchObject({ code: 404, reason: "node_ip_address.not_found" });
  const found = await edgehelm.call(admin, rpc.findEnabledNodeIPAddress, { nodeIPAddressId: 9999n });
  expect(found.nodeIPAddress).toBeUndefined();
});
