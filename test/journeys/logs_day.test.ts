import { expect, test } from "vitest";
import { openDay } from "./day_rig.ts";

const NOON = Date.UTC(2026, 4, 20, 12);

test(
  "Logs: node logs, the audit log of consoles, and access logs of sites",
  async () => {
    await using day = await openDay({ at: NOON });
    const { admin } = day;
    const { nodeClusterId } = await admin.post("NodeClusterService/createNodeCluster", { name: "Frankfurt" });
    const node = await day.edgeNode("fra-1", nodeClusterId);
    const [ada, bob] = [await day.user("ada"), await day.user("bob")];
    const site = { type: "httpProxy", nodeClusterId };
    const serverOf = async (name: string, userId: number) =>
      (await admin.post("ServerService/createServer", { ...site, name, userId })).serverId as number;
    const [shop, blog] = [await serverOf("shop", ada.id), await serverOf("blog", bob.id)];

    // A node reports the same error three times, and then that it is fixed.
    const createdAt = NOON / 1000;
    const listening = { type: "listenAddressFailed", paramsJSON: { address: ":443" } };
    const failed = { level: "error", tag: "LISTENER", description: "cannot listen on :443", createdAt, ...listening };
    const write = (...nodeLogs: object[]) => node.post("NodeLogService/createNodeLogs", { nodeLogs });
    for (let times = 0; times < 3; times++) await write(failed);
    await write({ level: "info", tag: "START", description: "started", createdAt });
    const list = async (filter: object) => {
      const request = { nodeId: node.id, role: "node", size: 10, ...filter };
      return (await admin.post("NodeLogService/listNodeLogs", request)).nodeLogs;
    };
    expect(await list({})).toMatchObject([
      { level: "info", isRead: true },
      { level: "error", count: 3, isRead: false, isFixed: false, description: "cannot listen on :443" },
    ]);
    expect((await admin.post("NodeLogService/countAllUnreadNodeLogs")).count).toBe(1);
    for (const days of [{ dayFrom: "2026-05-20" }, { dayFrom: "20260520", dayTo: "20260520" }]) {
      expect(await list({ ...days, level: "error,warning" })).toHaveLength(1);
      expect((await admin.post("NodeLogService/countNodeLogs", { ...days, level: "error,warning" })).count).toBe(1);
    }
    await write({ ...failed, level: "success", description: "listens on :443 again" });
    expect(await list({ level: "error" })).toMatchObject([{ isFixed: true, isRead: true }]);
    await write({ ...failed, paramsJSON: { address: ":80" } });
    const [open] = await list({ fixedState: 2, level: "error" });
    await admin.post("NodeLogService/updateNodeLogsRead", { nodeLogIds: [open.id] });
    await admin.post("NodeLogService/fixNodeLogs", { nodeLogIds: [open.id] });
    expect(await list({ fixedState: 2, level: "error" })).toEqual([]);
    await admin.post("NodeLogService/fixAllNodeLogs");

    // Consoles write the actions of admins and users.
    await admin.post("LogService/createLog", { level: "info", description: "turned the shop off", ip: "192.0.2.1" });
    await ada.post("LogService/createLog", { level: "warn", description: "changed her password" });
    const audit = async (filter: object) => {
      const own = { source: "log", ...filter };
      const { logs } = await admin.post("LogService/listLogs", { size: 10, ...own });
      expect((await admin.post("LogService/countLogs", own)).count).toBe(logs.length);
      return logs.map(({ description }: { description: string }) => description);
    };
    expect(await audit({})).toEqual(["changed her password", "turned the shop off"]);
    expect(await audit({ userType: "user", dayFrom: "2026-05-20" })).toEqual(["changed her password"]);
    expect(await audit({ keyword: "SHOP" })).toEqual(["turned the shop off"]);
    expect(await ada.error("LogService/listLogs")).toMatchObject({ code: 403 });
    const { logs } = await admin.post("LogService/listLogs", { size: 1, source: "log" });
    await admin.post("LogService/deleteLogPermanently", { logId: logs[0].id });
    await admin.post("LogService/deleteLogsPermanently", { logIds: [logs[0].id + 1] });
    expect(await audit({})).toEqual(["turned the shop off"]);

    // The node uploads access logs; customers see only their own.
    let counter = 1_000_001;
    const request = (serverId: number, status: number, requestURI: string, overrides: object = {}) => ({
      ...{ requestId: `${NOON}${node.id}${counter++}`, serverId, nodeId: node.id, timestamp: createdAt, status },
      ...{ requestURI, requestPath: requestURI, host: "shop.example", remoteAddr: "203.0.113.9", requestMethod: "GET" },
      ...overrides,
    });
    const httpAccessLogs = [
      request(shop, 200, "/"),
      request(shop, 404, "/missing"),
      request(shop, 403, "/admin", { firewallPolicyId: 1, tags: ["bot"] }),
      request(blog, 200, "/feed", { host: "blog.example" }),
    ];
    await node.post("HTTPAccessLogService/createHTTPAccessLogs", { httpAccessLogs });
    const uris = async (client: typeof ada | typeof admin, filter: object) => {
      const all = { day: "20260520", size: 10, partition: -1, ...filter };
      const response = await client.post("HTTPAccessLogService/listHTTPAccessLogs", all);
      return response.httpAccessLogs.map(({ requestURI }: { requestURI: string }) => requestURI);
    };
    expect(await uris(admin, {})).toEqual(["/feed", "/admin", "/missing", "/"]);
    expect(await uris(ada, {})).toEqual(["/admin", "/missing", "/"]);
    expect(await uris(ada, { hasError: true })).toEqual(["/admin", "/missing"]);
    expect(await uris(ada, { keyword: "status:404" })).toEqual(["/missing"]);
    expect(await uris(admin, { domain: "blog.example" })).toEqual(["/feed"]);
    expect(await uris(admin, { hasFirewallPolicy: true })).toEqual(["/admin"]);
    const page = { day: "20260520", size: 2, partition: -1 };
    const first = await ada.post("HTTPAccessLogService/listHTTPAccessLogs", page);
    // The field of older releases stays empty.
    expect(first).toMatchObject({ hasMore: true, httpAccessLogs: [{}, {}], accessLogs: [] });
    expect(await uris(ada, { requestId: first.requestId })).toEqual(["/"]);
    const find = { requestId: httpAccessLogs[0]!.requestId };
    expect((await ada.post("HTTPAccessLogService/findHTTPAccessLog", find)).httpAccessLog)
      .toMatchObject({ requestURI: "/", node: { name: "fra-1", nodeCluster: { id: nodeClusterId } } });
    expect((await bob.post("HTTPAccessLogService/findHTTPAccessLog", find)).httpAccessLog).toBeUndefined();
    expect(await bob.error("HTTPAccessLogService/listHTTPAccessLogs", { ...page, serverId: shop }))
      .toMatchObject({ code: 404 });
    expect(await admin.post("HTTPAccessLogService/findHTTPAccessLogPartitions", { day: "20260520" }))
      .toEqual({ partitions: [0], reversePartitions: [0] });
  },
);
