import { as, type TestKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ServerService } from "../../../plugins/server/proto/service_server_pb.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import { json, parsed, serverKernel } from "./rig.ts";

const service = ServerService.method;
const admin = as.admin();

let edgehelm: TestKernel;
let changed: bigint[][];
beforeAll(async () => {
  ({ edgehelm, changed } = await serverKernel());
  for (const username of ["first", "second", "third"]) {
    await edgehelm.call(admin, UserService.method.createUser, { username, password: "a long enough password" });
  }
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function create(request: object = {}): Promise<bigint> {
  const completeRequest = { type: "httpProxy", name: "site", nodeClusterId: 1n, ...request };
  return (await edgehelm.call(admin, service.createServer, completeRequest)).serverId;
}

async function find(serverId: bigint) {
  return (await edgehelm.call(admin, service.findEnabledServer, { serverId })).server;
}

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

describe("names", () => {
  test("can be used by one server of a cluster, and again after it is deleted", async () => {
    const serverNamesJSON = json([{ name: "one.test" }]);
    const serverId = await create({ serverNamesJSON });
    await expect(create({ serverNamesJSON })).rejects.toMatchObject({ code: 409, reason: "server.name_taken" });
    const otherCluster = await create({ serverNamesJSON, nodeClusterId: 2n });
    const move = { serverId: otherCluster, name: "moved", nodeClusterId: 1n, isOn: true };
    await expect(edgehelm.call(admin, service.updateServerBasic, move)).rejects.toMatchObject({ code: 409 });
    expect(await find(otherCluster)).toMatchObject({ name: "site", nodeCluster: { id: 2n } });
    await edgehelm.call(admin, service.deleteServer, { serverId });
    await edgehelm.call(admin, service.updateServerBasic, move);
    expect(changed.at(-1)).toEqual([2n, 1n]);
    await expect(create({ serverNamesJSON })).rejects.toMatchObject({ code: 409 });
  });

  test("are matched against wildcards on request", async () => {
    const serverId = await create({ nodeClusterId: 3n, serverNamesJSON: json([{ name: "*.wild.test" }]) });
    const check = (name: string) =>
      edgehelm.call(admin, service.checkServerNameInServer, { serverId, serverName: name });
    expect([(await check("a.wild.test")).exists, (await check("wild.test")).exists]).toEqual([true, false]);
    const request = { nodeClusterId: 3n, serverNames: ["a.wild.test", "b.test"] };
    const findDuplicates = (supportWildcard: boolean, excludeServerId = 0n) =>
      edgehelm.call(admin, service.checkServerNameDuplicationInNodeCluster, {
        ...request,
        supportWildcard,
        excludeServerId,
      });
    expect((await findDuplicates(false)).duplicatedServerNames).toEqual([]);
    expect((await findDuplicates(true)).duplicatedServerNames).toEqual(["a.wild.test"]);
    expect((await findDuplicates(true, serverId)).duplicatedServerNames).toEqual([]);
  });

  test("can be replaced, listed and counted by the owner", async () => {
    const owner = as.user(3n);
    const serverId = await create({ userId: 3n });
    const serverNamesJSON = json([{ name: "b.own.test" }, { name: "a.own.test" }]);
    await edgehelm.call(owner, service.updateServerNames, { serverId, serverNamesJSON });
    const { serverNames } = await edgehelm.call(owner, service.findAllEnabledServerNamesWithUserId, {});
    expect(serverNames).toEqual(["a.own.test", "b.own.test"]);
    expect((await edgehelm.call(owner, service.countAllServerNamesWithUserId, {})).count).toBe(2n);
    expect((await edgehelm.call(owner, service.countServerNames, { serverId })).count).toBe(2n);
    await edgehelm.call(owner, service.updateServerNames, { serverId, serverNamesJSON: json([]) });
    expect((await edgehelm.call(owner, service.countAllServerNamesWithUserId, {})).count).toBe(0n);
  });
});

test("another user's server is not found and cannot be changed", async () => {
  const serverId = await create({ userId: 1n });
  const bob = as.user(2n);
  expect((await edgehelm.call(bob, service.findEnabledServer, { serverId })).server).toBeUndefined();
  const notFound = { code: 404, reason: "server.not_found" };
  await expect(edgehelm.call(bob, service.updateServerName, { serverId, name: "his" })).rejects.toMatchObject(notFound);
  await expect(edgehelm.call(bob, service.deleteServer, { serverId })).rejects.toMatchObject(notFound);
  await expect(edgehelm.call(bob, service.checkUserServer, { serverId })).rejects.toMatchObject(notFound);
});

test("a plan can be bound only to servers of its owner, and a transferred server loses its plan", async () => {
  const serverId = await create({ userId: 1n, userPlanId: 5n });
  expect(await edgehelm.call(admin, service.countAllUserServers, { userId: 1n, userPlanId: 5n })).toMatchObject({
    count: 1n,
  });
  await edgehelm.call(admin, service.updateServerUser, { serverId, userId: 2n });
  expect(await find(serverId)).toMatchObject({ userId: 2n, userPlanId: 0n });
  await expect(edgehelm.call(admin, service.updateServerUserPlan, { serverId, userPlanId: 5n }))
    .rejects.toMatchObject({ code: 400 });
});

test("listen settings are replaced individually, and empty ones are kept", async () => {
  const serverId = await create({ type: "tcpProxy" });
  const tcpJSON = json({ isOn: true, listen: [{ protocol: "tcp", portRange: "25" }] });
  await edgehelm.call(admin, service.updateServerTCP, { serverId, tcpJSON });
  await edgehelm.call(admin, service.updateServerTCP, { serverId });
  expect(parsed((await find(serverId))!.tcpJSON)).toMatchObject({ isOn: true, listen: [{ minPort: 25 }] });
  await expect(edgehelm.call(admin, service.updateServerUDP, { serverId, udpJSON: json({}) }))
    .rejects.toMatchObject({ code: 400, message: expect.stringContaining("supports only tcpJSON and tlsJSON") });
});

test("lists and counts agree with an in-memory filter, and servers are deleted with their user", async () => {
  const userId = (await edgehelm.call(admin, UserService.method.createUser, {
    username: "owner",
    password: "a long enough password",
  })).userId;
  const rows: { id: bigint; nodeClusterId: bigint; family: string; name: string }[] = [];
  for (let index = 0; index < 24; index++) {
    const [nodeClusterId, family] = [BigInt(index % 3 + 1), ["http", "tcp", "udp"][index % 2]!];
    const name = `${index % 4 === 0 ? "Blog" : "shop"} ${index}`;
    const id = await create({ userId, nodeClusterId, name, type: `${family}Proxy` });
    rows.unshift({ id, nodeClusterId, family, name });
  }
  for (const nodeClusterId of [0n, 1n, 2n]) {
    for (const protocolFamily of ["", "http", "udp"]) {
      for (const keyword of ["", "BLOG", "%"]) {
        const filter = { userId, nodeClusterId, protocolFamily, keyword };
        const expected = rows.filter((row) =>
          (nodeClusterId === 0n || row.nodeClusterId === nodeClusterId) &&
          (protocolFamily === "" || row.family === protocolFamily) &&
          row.name.toLowerCase().includes(keyword.toLowerCase())
        );
        expect((await edgehelm.call(admin, service.countAllEnabledServersMatch, filter)).count)
          .toBe(BigInt(expected.length));
        const { servers } = await edgehelm.call(admin, service.listEnabledServersMatch, {
          ...filter,
          offset: 2n,
          size: 3n,
        });
        expect(servers.map(({ id }) => id)).toEqual(expected.slice(2, 5).map(({ id }) => id));
      }
    }
  }
  await expect(edgehelm.call(admin, service.listEnabledServersMatch, { trafficOutDesc: true }))
    .rejects.toMatchObject({ code: 503, reason: "server.cannot_sort" });
  await edgehelm.call(admin, UserService.method.deleteUser, { userId });
  await edgehelm.kernel.runJob("user.remove_deleted");
  expect((await edgehelm.call(admin, service.countAllUserServers, { userId })).count).toBe(0n);
});

test("deleteServers deletes all or none", async () => {
  const serverIds = [await create(), await create()];
  await expect(edgehelm.call(admin, service.deleteServers, { serverIds: [...serverIds, 9999n] }))
    .rejects.toMatchObject({ code: 404 });
  expect(await find(serverIds[0]!)).toBeDefined();
  await edgehelm.call(admin, service.deleteServers, { serverIds });
  expect(await find(serverIds[1]!)).toBeUndefined();
});
