import { describe, expect, test } from "vitest";
import { admin, changed, create, edgehelm, find, json, parsed, service, useKernel } from "./rig.ts";

useKernel();

describe("createServer", () => {
  test("stores the request and marks the cluster for update", async () => {
    const serverId = await create({
      userId: 1n,
      description: "shop",
      serverNamesJSON: json([{ name: "Shop.Example.com." }, { name: "any", subNames: ["*.b.test", "münchen.test"] }]),
      httpJSON: json({ isOn: true, listen: [{ protocol: "http", portRange: "8080-8090" }] }),
      reverseProxyJSON: json({ isOn: true, reverseProxyId: 9 }),
      excludeNodesJSON: json([{ nodeId: 4 }]),
    });
    expect(changed.at(-1)).toEqual([1n]);
    const server = (await find(serverId))!;
    expect(server).toMatchObject({
      id: serverId,
      isOn: true,
      countServerNames: 3,
      firstServerName: "shop.example.com",
      nodeCluster: { id: 1n, name: "cluster 1" },
      user: { id: 1n, username: "first" },
    });
    expect(parsed(server.serverNamesJSON)).toMatchObject([{ name: "shop.example.com", type: "full" }, {
      subNames: ["*.b.test", "xn--mnchen-3ya.test"],
    }]);
    expect(parsed(server.httpJSON)).toMatchObject({ listen: [{ minPort: 8080, maxPort: 8090 }] });
    expect(parsed(server.excludeNodes)).toEqual([{ nodeId: 4 }]);
  });

  test.each([
    [{ type: "webSite" }, "type"],
    [{ nodeClusterId: 9n }, "nodeClusterId"],
    [{ userId: 99n }, "userId"],
    [{ serverGroupIds: [1n] }, "serverGroupIds"],
    [{ tcpJSON: json({ isOn: true }) }, "tcpJSON"],
    [{ httpJSON: json({ listen: [{ protocol: "https", portRange: "80" }] }) }, "httpJSON.listen[0].protocol"],
    [{ httpJSON: json({ listen: [{ protocol: "http", portRange: "90-80" }] }) }, "httpJSON.listen[0].portRange"],
    [{ serverNamesJSON: json([{ name: "a b" }]) }, "serverNamesJSON[0].name"],
    [{ serverNamesJSON: json([{ name: "~(" }]) }, "serverNamesJSON[0].name"],
    [{ serverNamesJSON: json([{ name: "a.test" }, { name: "A.test" }]) }, "serverNamesJSON"],
    [{ userId: 2n, userPlanId: 5n }, "userPlanId"],
    [{ reverseProxyJSON: json({ isOn: true }) }, "reverseProxyJSON.reverseProxyId"],
  ])("refuses %o and creates nothing", async (request, field) => {
    const { count } = await edgehelm.call(admin, service.countAllEnabledServersMatch, {});
    await expect(create(request)).rejects.toMatchObject({ code: 400, message: expect.stringContaining(`${field}:`) });
    expect(await edgehelm.call(admin, service.countAllEnabledServersMatch, {})).toMatchObject({ count });
  });
});
