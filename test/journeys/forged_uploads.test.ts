import { expect, test } from "vitest";
import { type Client, type Day, openDay } from "./day_rig.ts";

/** 2026-05-02, noon in UTC. */
const NOON = Date.UTC(2026, 4, 2, 12);
const DAY = 86_400;
const GIGABYTE = 2 ** 30;
const counters = { requests: 1_000_001 };

/** Opens an installation with two clusters; the shop of Ada is on the first one, the attacker a node of the second. */
async function open() {
  const day = await openDay({ at: NOON, config: { user_bill: { trafficPricePerGB: 1 } } });
  const { admin } = day;
  const clusterOf = async (name: string) =>
    (await admin.post("NodeClusterService/createNodeCluster", { name })).nodeClusterId as number;
  const [home, other] = [await clusterOf("home"), await clusterOf("other")];
  const ada = await day.user("ada");
  const site = { type: "httpProxy", name: "shop", nodeClusterId: home, userId: ada.id };
  const { serverId } = await admin.post("ServerService/createServer", site);
  const server = serverId as number;
  return {
    ...{ day, admin, ada, home, other, server },
    own: await day.edgeNode("own", home),
    attacker: await day.edgeNode("attacker", other),
  };
}

/** Lets the installation write its bills of a month, and returns the amount of a user. */
async function billOf(admin: Client, userId: number, month: string): Promise<number> {
  await admin.post("UserBillService/generateAllUserBills", { month });
  const { userBills } = await admin.post("UserBillService/listUserBills", { userId, month, size: 10 });
  return userBills.reduce((sum: number, bill: { amount: number }) => sum + bill.amount, 0);
}

async function bytesOf(client: Client, serverId: number): Promise<number> {
  const request = { serverId, dayFrom: "20260101", dayTo: "20260502" };
  return (await client.post("ServerDailyStatService/sumServerDailyStats", request)).serverDailyStat.bytes;
}

test("back-dated traffic makes no bill, neither of another cluster's node nor of long ago", async () => {
  const { day, admin, ada, server, own, attacker } = await open();
  await using _day = day;
  const upload = "ServerDailyStatService/uploadServerDailyStats";
  const stat = { serverId: server, bytes: 90_000 * GIGABYTE, countRequests: 1, userId: ada.id };
  const april = { ...stat, createdAt: NOON / 1000 - 2 * DAY };
  const march = { ...stat, createdAt: NOON / 1000 - 40 * DAY };
  for (const node of [own, attacker]) {
    expect(await node.error(upload, { stats: [march] }))
      .toMatchObject({
        code: 400,
        message: expect.stringMatching(/^stats\[0\]\.createdAt: must be at most 3 days ago/),
      });
  }
  await attacker.post(upload, { stats: [april, { ...stat, createdAt: NOON / 1000 }] });
  expect(await bytesOf(ada, server)).toBe(0);
  for (const month of ["202603", "202604"]) expect(await billOf(admin, ada.id, month)).toBe(0);
  // the site's own node makes one
  await own.post(upload, { stats: [{ ...april, bytes: 5 * GIGABYTE }] });
  expect(await bytesOf(ada, server)).toBe(5 * GIGABYTE);
  expect(await billOf(admin, ada.id, "202604")).toBe(5);
});

test("a node writes no access logs for a site of another cluster", async () => {
  const { day, admin, ada, server, own, attacker } = await open();
  await using _day = day;
  const send = (node: Client & { id: number }, nodeId: number, requestURI: string) => {
    const log = { requestId: `${NOON}${counters.requests++}`, serverId: server, nodeId, requestURI, status: 200 };
    return node.post("HTTPAccessLogService/createHTTPAccessLogs", { httpAccessLogs: [log] });
  };
  await send(attacker, own.id, "/forged");
  await send(attacker, attacker.id, "/forged");
  await send(own, attacker.id, "/real");
  for (const client of [admin, ada]) {
    const { httpAccessLogs } = await client.post("HTTPAccessLogService/listHTTPAccessLogs", {
      day: "20260502",
      size: 9,
    });
    expect(httpAccessLogs).toMatchObject([{ requestURI: "/real", nodeId: own.id }]);
  }
});

test("a node reads no private file of a user or an admin", async () => {
  const { day, admin, ada, attacker } = await open();
  await using _day = day;
  const dns = await dnsNode(day, "ns1");
  for (const [owner, isPublic] of [[ada, false], [admin, false], [ada, true]] as const) {
    const file = { filename: "passport.png", size: 3, isPublic };
    const { fileId } = await owner.post("FileService/createFile", file);
    const { fileChunkId } = await admin.post("FileChunkService/createFileChunk", { fileId, data: "AAAA" });
    await owner.post("FileService/updateFileFinished", { fileId });
    for (const node of [attacker, dns]) {
      const { file: found } = await node.post("FileService/findEnabledFile", { fileId });
      const { fileChunkIds } = await node.post("FileChunkService/findAllFileChunkIds", { fileId });
      const { fileChunk } = await node.post("FileChunkService/downloadFileChunk", { fileChunkId });
      const [name, ids, data] = isPublic ? ["passport.png", [fileChunkId], "AAAA"] : [undefined, [], undefined];
      expect([found?.filename, fileChunkIds, fileChunk?.data]).toEqual([name, ids, data]);
    }
  }
});

test("a DNS node forges no log about a site, a node or an origin", async () => {
  const { day, admin, server, own } = await open();
  await using _day = day;
  const dns = await dnsNode(day, "ns1");
  const { originId } = await admin.post("OriginService/createOrigin", {
    name: "o",
    addr: { protocol: "http", host: "192.0.2.1", portRange: "80" },
  });
  const log = { level: "error", description: "forged", role: "node", nodeId: own.id };
  const nodeLogs = [{ ...log, serverId: server }, { ...log, originId }, { ...log, description: "of itself" }];
  await dns.post("NodeLogService/createNodeLogs", { nodeLogs });
  const { nodeLogs: found } = await admin.post("NodeLogService/listNodeLogs", { size: 10 });
  expect(found).toMatchObject([{ description: "of itself", role: "dns", nodeId: dns.id, serverId: 0, originId: 0 }]);
});

async function dnsNode(day: Day, name: string): Promise<Client & { readonly id: number }> {
  const { admin } = day;
  const { nsClusterId } = await admin.post("NSClusterService/createNSCluster", {
    name,
    hosts: [`${name}.example.net`],
  });
  const { nsNodeId } = await admin.post("NSNodeService/createNSNode", { name, nodeClusterId: nsClusterId });
  const { nsNode } = await admin.post("NSNodeService/findNSNode", { nsNodeId });
  return Object.assign(await day.login("dns", nsNode.uniqueId, nsNode.secret), { id: nsNodeId as number });
}
