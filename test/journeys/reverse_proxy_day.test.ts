import { expect, test } from "vitest";
import { type EdgeNode, json, openDay } from "./day_rig.ts";

test(
  "Reverse proxies: the origins of a customer's site, and the configuration of edge nodes",
  async () => {
    await using day = await openDay();
    const { admin } = day;
    const { nodeClusterId } = await admin.post("NodeClusterService/createNodeCluster", { name: "Frankfurt" });
    const fra = await day.edgeNode("fra-1", nodeClusterId);

    // A customer creates a reverse proxy with an origin; invalid values and origins of others are refused.
    const ada = await day.user("ada");
    const bob = await day.user("bob");
    const createOrigin = async (host: string, client = ada) =>
      (await client.post("OriginService/createOrigin", {
        addr: { protocol: "http", host, portRange: "8080" },
        isOn: true,
      }))
        .originId as number;
    const [first, second] = [await createOrigin("198.51.100.1"), await createOrigin("198.51.100.2")];
    const create = "ReverseProxyService/createReverseProxy";
    expect(await ada.error(create, { schedulingJSON: { code: "fastest" } })).toMatchObject({ code: 400 });
    const foreign = [{ isOn: true, originId: await createOrigin("198.51.100.3", bob) }];
    expect(await ada.error(create, { primaryOriginsJSON: foreign })).toMatchObject({ code: 400 });
    const { reverseProxyId } = await ada.post(create, { primaryOriginsJSON: [{ isOn: true, originId: first }] });

    // The admin creates a site with the reverse proxy, and the node receives its complete configuration.
    const { serverId } = await admin.post("ServerService/createServer", {
      ...{ userId: ada.id, type: "httpProxy", name: "shop", nodeClusterId },
      serverNamesJSON: [{ name: "shop.example" }],
      httpJSON: { isOn: true, listen: [{ protocol: "http", portRange: "80" }] },
      reverseProxyJSON: { isOn: true, reverseProxyId },
    });
    expect(await fra.pollConfig()).toBe(true);
    expect((await fra.config()).servers).toMatchObject([{
      id: serverId,
      clusterId: nodeClusterId,
      serverNames: [{ name: "shop.example" }],
      http: { isOn: true },
      https: null,
      reverseProxyRef: { isOn: true, reverseProxyId },
      reverseProxy: { id: reverseProxyId, primaryOrigins: [{ id: first, addr: { host: "198.51.100.1" } }] },
    }]);
    expect(await fra.pollConfig()).toBe(false);

    // She changes the scheduling and the origins; the node receives each change.
    const changes: [string, object, object][] = [
      ["updateReverseProxyScheduling", { schedulingJSON: { code: "roundRobin" } }, {
        scheduling: { code: "roundRobin" },
      }],
      [
        "updateReverseProxyPrimaryOrigins",
        { originsJSON: [{ isOn: true, originId: second }] },
        { primaryOrigins: [{ id: second }] },
      ],
      [
        "updateReverseProxyBackupOrigins",
        { originsJSON: [{ isOn: true, originId: first }] },
        { backupOrigins: [{ id: first }] },
      ],
      ["updateReverseProxy", { requestHostType: 1, retry50X: true }, { requestHostType: 1, retry50X: true }],
    ];
    for (const [operation, request, expected] of changes) {
      await ada.post(`ReverseProxyService/${operation}`, { reverseProxyId, ...request });
      expect(await fra.pollConfig()).toBe(true);
      expect((await fra.config()).servers).toMatchObject([{ reverseProxy: expected }]);
    }
    await ada.post("OriginService/updateOriginIsOn", { originId: second, isOn: false });
    expect((await fra.config()).servers[0].reverseProxy.primaryOrigins).toMatchObject([{ id: second, isOn: false }]);
    const { reverseProxyJSON } = await ada.post("ReverseProxyService/findEnabledReverseProxyConfig", {
      reverseProxyId,
    });
    expect(json(reverseProxyJSON)).toEqual((await fra.config()).servers[0].reverseProxy);
    expect(json((await ada.post("ServerService/findEnabledServerConfig", { serverId })).serverJSON))
      .toEqual((await fra.config()).servers[0]);
    expect((await bob.post("ReverseProxyService/findEnabledReverseProxy", { reverseProxyId })).reverseProxy)
      .toBeUndefined();

    // A node of another cluster receives only the sites that include it.
    const other = await admin.post("NodeClusterService/createNodeCluster", { name: "Paris" });
    const par = await day.edgeNode("par-1", other.nodeClusterId);
    const tcp = await admin.post("ServerService/createServer", {
      ...{ type: "tcpProxy", name: "mail", nodeClusterId },
      includeNodesJSON: [{ nodeId: par.id }],
      excludeNodesJSON: [{ nodeId: fra.id }],
    });
    expect((await par.config()).servers).toMatchObject([{ id: tcp.serverId, type: "tcpProxy" }]);
    expect((await fra.config()).servers).toMatchObject([{ id: serverId }]);
    const compose = async (node: EdgeNode, id: number) =>
      json((await node.post("ServerService/composeServerConfig", { serverId: id })).serverConfigJSON)?.id;
    expect([await compose(par, tcp.serverId), await compose(par, serverId)]).toEqual([tcp.serverId, undefined]);
    expect([await compose(fra, tcp.serverId), await compose(fra, serverId)]).toEqual([undefined, serverId]);
    await par.pollConfig();
    await admin.post("ServerService/updateServerName", { serverId: tcp.serverId, name: "post" });
    expect(await par.pollConfig()).toBe(true);
    expect((await par.config()).servers).toMatchObject([{ name: "post" }]);

    // Her sites are not served while the user is turned off.
    const person = { userId: ada.id, username: "ada", fullname: "ada" };
    for (const isOn of [false, true]) {
      await fra.pollConfig();
      await admin.post("UserService/updateUser", { ...person, isOn });
      expect(await fra.pollConfig()).toBe(true);
      expect((await fra.config()).servers).toHaveLength(isOn ? 1 : 0);
      expect(await compose(fra, serverId)).toBe(isOn ? serverId : undefined);
    }

    // The user is deleted, and the node receives the deletion of her site.
    await admin.post("UserService/deleteUser", { userId: ada.id });
    await day.job("user.remove_deleted");
    expect((await fra.config()).servers).toEqual([]);
  },
);
