import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import { admin, create, edgehelm, find, json, parsed, service, useKernel } from "./rig.ts";

useKernel();

const [first, second] = [as.user(1n), as.user(2n)];

async function createAs(user: typeof first, request: object = {}): Promise<bigint> {
  const complete = { type: "httpProxy", name: "own", nodeClusterId: 1n, ...request };
  return (await edgehelm.call(user, service.createServer, complete)).serverId;
}

/** Creates a site as a user, and expects the error. */
async function expectRefused(request: object, code: number, message: string | RegExp): Promise<void> {
  await expect(createAs(first, request)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
}

function listen(protocol: string, portRange: string, host = ""): Uint8Array {
  return json({ isOn: true, listen: [{ protocol, host, portRange }] });
}

describe("createServer of a user", () => {
  test("makes the user the owner, also if the request names another user", async () => {
    const serverId = await createAs(first, { userId: 2n, serverNamesJSON: json([{ name: "own.example.com" }]) });
    expect(await find(serverId)).toMatchObject({ userId: 1n, isOn: true, firstServerName: "own.example.com" });
    await expect(edgehelm.call(second, service.updateServerName, { serverId, name: "mine" }))
      .rejects.toMatchObject({ code: 404 });
  });

  test("takes the cluster of the plan, or else the user's, if the request names none", async () => {
    expect(await find(await createAs(first, { nodeClusterId: 0n, userPlanId: 6n })))
      .toMatchObject({ nodeCluster: { id: 2n }, userPlanId: 6n });
    await expectRefused({ nodeClusterId: 0n }, 400, /^nodeClusterId: must be a positive id/);
    const login = { username: "clustered", password: "a long enough password", nodeClusterId: 3n };
    const { userId } = await edgehelm.call(admin, UserService.method.createUser, login);
    expect(await find(await createAs(as.user(userId), { nodeClusterId: 0n }))).toMatchObject({
      nodeCluster: { id: 3n },
    });
  });

  test("refuses another cluster than the plan's, another user's plan, and nodes", async () => {
    await expectRefused(
      { nodeClusterId: 1n, userPlanId: 6n },
      400,
      "nodeClusterId: must be 0 or 2, the cluster of user",
    );
    await expect(createAs(second, { userPlanId: 6n })).rejects.toMatchObject({ code: 400, message: /^userPlanId: / });
    await expectRefused({ nodeClusterId: 9n }, 400, "nodeClusterId: ");
    await expectRefused({ includeNodesJSON: json([{ nodeId: 4 }]) }, 400, "includeNodesJSON: must be empty");
    await expectRefused({ excludeNodesJSON: json([{ nodeId: 4 }]) }, 400, "excludeNodesJSON: must be empty");
    expect(await createAs(first, { includeNodesJSON: json([]), excludeNodesJSON: json(null) })).toBeGreaterThan(
      0n,
    );
  });

  test("refuses names of others and names for admins", async () => {
    await create({
      userId: 2n,
      serverNamesJSON: json([{ name: "taken.example.com" }, { name: "*.wild.example.com" }]),
    });
    const names = (name: string) => ({ serverNamesJSON: json([{ name }]) });
    await expectRefused(names("taken.example.com"), 409, "serverNamesJSON: the name .* belongs to another server");
    await expectRefused(names("a.wild.example.com"), 409, "serverNamesJSON: the name .* matches ");
    await expectRefused(names("*.com"), 400, /^serverNamesJSON\[0\].name: must be at or below a registrable domain/);
  });
});

describe("ports of users", () => {
  test.each([
    ["httpProxy", "httpJSON", "http", "80"],
    ["httpProxy", "httpJSON", "http", "8080"],
    ["httpProxy", "httpsJSON", "https", "443"],
    ["tcpProxy", "tcpJSON", "tcp", "20000-20099"],
    ["tcpProxy", "tlsJSON", "tls", "21000"],
    ["udpProxy", "udpJSON", "udp", "20000"],
  ])("%s: %s may listen on %s %s", async (type, listener, protocol, ports) => {
    expect(await createAs(first, { type, [listener]: listen(protocol, ports) })).toBeGreaterThan(0n);
  });

  test.each([
    ["httpProxy", "httpJSON", listen("http", "443"), 400, "must be 80 or from 1024 to 65535"],
    ["httpProxy", "httpJSON", listen("http", "80-8080"), 400, "must be 80 or from 1024 to 65535"],
    ["tcpProxy", "tcpJSON", listen("tcp", "22"), 400, "must be from 1024 to 65535"],
    ["tcpProxy", "tcpJSON", listen("tcp", "30000-30100"), 400, "must have at most 100 ports"],
    ["tcpProxy", "tcpJSON", listen("tcp", "30000", "192.0.2.1"), 400, "must be empty: nodes listen on all addresses"],
  ])("%s: refuses %s %o", async (type, listener, block, code, message) => {
    await expectRefused({ type, [listener]: block }, code, `${listener}\\.listen\\[0\\].*: ${message}`);
  });

  test("a port belongs to one server of the cluster, except for sites with the same protocol", async () => {
    const tcpJSON = listen("tcp", "25000-25010");
    const serverId = await createAs(second, { type: "tcpProxy", tcpJSON });
    const taken = "another server of the cluster listens on ports of";
    await expectRefused({ type: "tcpProxy", tcpJSON: listen("tcp", "25010") }, 409, taken);
    await expectRefused({ type: "tcpProxy", tlsJSON: listen("tls", "24990-25000") }, 409, taken);
    await expectRefused({ httpJSON: listen("http", "25005") }, 409, taken);
    await createAs(first, { type: "udpProxy", udpJSON: listen("udp", "25000") });
    await createAs(first, { type: "tcpProxy", tcpJSON, nodeClusterId: 3n });
    await createAs(first, { httpJSON: listen("http", "8088") });
    await createAs(second, { httpJSON: listen("http", "8088") });
    await expectRefused({ httpsJSON: listen("https", "8088") }, 409, taken);
    await edgehelm.call(second, service.deleteServer, { serverId });
    await createAs(first, { type: "tcpProxy", tcpJSON });
  });

  test("updates keep what an admin allowed, and are bound by the rest", async () => {
    const serverId = await create({ userId: 1n, type: "tcpProxy", tcpJSON: listen("tcp", "25") });
    const update = (tcpJSON: Uint8Array, user = first) =>
      edgehelm.call(user, service.updateServerTCP, { serverId, tcpJSON });
    await update(json({ isOn: false, listen: [{ protocol: "tcp", portRange: "25" }] }));
    await expect(update(listen("tcp", "26"))).rejects.toMatchObject({ code: 400 });
    await expect(update(listen("tcp", "26000"), second)).rejects.toMatchObject({ code: 404 });
    await update(listen("tcp", "26000"));
    const { tcpJSON } = (await find(serverId))!;
    expect(parsed(tcpJSON)).toMatchObject({ listen: [{ minPort: 26000 }] });
  });
});

test("updateServerUserPlan binds the own plan to an own site of the plan's cluster", async () => {
  const [here, there] = [await createAs(first), await createAs(first, { nodeClusterId: 2n })];
  const bind = (serverId: bigint, userPlanId: bigint, user = first) =>
    edgehelm.call(user, service.updateServerUserPlan, { serverId, userPlanId });
  await bind(there, 6n);
  await expect(bind(here, 6n)).rejects.toMatchObject({ code: 400, message: /^userPlanId: .* cluster 2, not 1/ });
  await bind(here, 5n);
  await expect(bind(here, 5n, second)).rejects.toMatchObject({ code: 404 });
  expect((await find(here))!.userPlanId).toBe(5n);
});

test("checkServerNameDuplicationInNodeCluster does not tell whose a name is", async () => {
  const name = "whose.example.com";
  const serverId = await create({ userId: 2n, serverNamesJSON: json([{ name }]) });
  const duplicated = async (user: typeof first) => {
    const request = { nodeClusterId: 1n, serverNames: [name], excludeServerId: serverId };
    return (await edgehelm.call(user, service.checkServerNameDuplicationInNodeCluster, request)).duplicatedServerNames;
  };
  expect(await duplicated(first)).toEqual([name]);
  expect(await duplicated(second)).toEqual([]);
});
