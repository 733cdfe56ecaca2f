import { as, TestClock, type TestKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HTTPAccessLogService } from "../../../plugins/http_access_log/proto/service_http_access_log_pb.ts";
import { logKernel } from "./rig.ts";

const service = HTTPAccessLogService.method;
const admin = as.admin();
/** 2025-03-10 in UTC. */
const START = 1741564800;
const DAY = "20250310";

let edgehelm: TestKernel;
const clock = new TestClock((START + 43_200) * 1000);
beforeAll(async () => {
  edgehelm = await logKernel({ clock, config: { partitionRows: 100 } });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

let counter = 1_000_001;
function idAt(seconds: number): string {
  return `${(START + seconds) * 1000}1${counter++}`;
}

type Log = Parameters<typeof send>[0][number];
function send(httpAccessLogs: { requestId: string; serverId?: bigint; [field: string]: unknown }[], node = 5n) {
  return edgehelm.call(as.node(node), service.createHTTPAccessLogs, { httpAccessLogs });
}

async function list(request: object, caller = admin) {
  return await edgehelm.call(caller, service.listHTTPAccessLogs, { day: DAY, size: 1000n, ...request });
}

async function uris(request: object, caller = admin): Promise<string[]> {
  return (await list(request, caller)).httpAccessLogs.map(({ requestURI }) => requestURI);
}

describe("createHTTPAccessLogs", () => {
  test("stores every field, with node, cluster and body", async () => {
    const requestId = idAt(-86_400);
    await send([{
      requestId,
      nodeId: 99n,
      serverId: 3n,
      status: 404,
      header: { "X-A": { values: ["1", "2"] } },
      cookie: { a: "b" },
      requestBody: new Uint8Array([1, 2, 3]),
      requestTime: 0.25,
      tags: ["bot"],
    }]);
    for (const wire of ["http", "connect", "grpcweb"] as const) {
      const { httpAccessLog } = await edgehelm.call(admin, service.findHTTPAccessLog, { requestId }, wire);
      expect(httpAccessLog).toMatchObject({
        requestId,
        nodeId: 5n,
        status: 404,
        header: { "X-A": { values: ["1", "2"] } },
        cookie: { a: "b" },
        requestBody: new Uint8Array([1, 2, 3]),
        requestTime: 0.25,
        tags: ["bot"],
        node: { id: 5n, name: "five", nodeCluster: { id: 9n } },
      });
    }
    const [listed] = (await list({ day: "20250309" })).httpAccessLogs;
    expect(listed).toMatchObject({ requestId, status: 404, requestBody: new Uint8Array() });
  });

  test("skips stored request ids, and refuses the whole batch for an invalid id", async () => {
    const [first, second] = [idAt(-172_800), idAt(-172_800)];
    await send([{ requestId: first, requestURI: "/first" }]);
    await send([{ requestId: first, requestURI: "/again" }, { requestId: second, requestURI: "/second" }]);
    expect(await uris({ day: "20250308" })).toEqual(["/second", "/first"]);
    const invalid = send([{ requestId: idAt(-172_800) }, { requestId: "12345" }]);
    await expect(invalid).rejects.toMatchObject({ code: 400, reason: "http_access_log.invalid_request_id" });
    await expect(send([{ requestId: idAt(300_000) }])).rejects.toMatchObject({ message: /must not be in the future/ });
    expect(await uris({ day: "20250308" })).toHaveLength(2);
  });
});

describe("listHTTPAccessLogs", () => {
  const rows: (Log & Record<string, unknown>)[] = [];
  beforeAll(async () => {
    for (let index = 0; index < 120; index++) {
      rows.push({
        requestId: idAt(index * 600),
        serverId: BigInt(index % 6 + 1),
        requestURI: `/${index}?q=${index % 7}`,
        requestPath: `/${index}`,
        status: [200, 301, 404, 503][index % 4]!,
        remoteAddr: index % 5 === 0 ? "2001:db8::7" : `10.0.${index % 3}.${index}`,
        host: ["Shop.test", "a.shop.test:8080", "blog.test"][index % 3]!,
        scheme: index % 2 === 0 ? "https" : "http",
        requestMethod: index % 10 === 0 ? "POST" : "GET",
        userAgent: index % 9 === 0 ? "Crawler/1.0" : "Mozilla",
        referer: index % 11 === 0 ? "https://search.test/" : "",
        firewallPolicyId: index % 8 === 0 ? 4n : 0n,
        tags: index % 12 === 0 ? ["slow"] : [],
      });
    }
    for (const start of [0, 60]) await send(rows.slice(start, start + 60), BigInt(start / 60 + 1));
  });

  const urisWhere = (test: (row: Log & Record<string, unknown>, index: number) => boolean) =>
    rows.filter(test).map(({ requestURI }) => requestURI).reverse();
  const isV6 = (_: unknown, index: number) => index % 5 === 0;

  test.each<[string, object, (row: Log & Record<string, unknown>, index: number) => boolean]>([
    ["all", {}, () => true],
    ["a site", { serverId: 2n }, (row) => row.serverId === 2n],
    ["a user", { userId: 1n }, (row) => row.serverId! % 3n === 1n],
    [
      "a user's site with errors",
      { userId: 1n, serverId: 4n, hasError: true },
      (row, i) => row.serverId === 4n && i % 4 > 1,
    ],
    ["errors", { hasError: true }, (_, i) => i % 4 > 1],
    ["a cluster", { nodeClusterId: 2n }, (row) => row.serverId! % 2n === 1n],
    ["a node", { nodeId: 2n }, (_, i) => i >= 60],
    ["firewall", { hasFirewallPolicy: true }, (_, i) => i % 8 === 0],
    ["a policy", { firewallPolicyId: 4n, hasError: true }, (_, i) => i % 8 === 0 && i % 4 > 1],
    ["an address", { ip: "[2001:DB8:0::7]" }, isV6],
    ["a range", { ip: "10.0.1.200-10.0.1.0" }, (_, i) => i % 5 !== 0 && i % 3 === 1],
    ["a block", { ip: "10.0.1.77/24" }, (_, i) => i % 5 !== 0 && i % 3 === 1],
    ["a host", { domain: "SHOP.test" }, (_, i) => i % 3 === 0],
    ["hosts", { domain: "*shop.test" }, (_, i) => i % 3 !== 2],
    ["hours", { hourFrom: "1", hourTo: "02" }, (_, i) => i >= 6 && i < 18],
    ["an hour without its end", { hourFrom: "1" }, () => true],
    ["keyword: address", { keyword: "2001:db8::7" }, isV6],
    ["keyword: ip", { keyword: "ip:10.0.1.0,10.0.1.255" }, (_, i) => i % 5 !== 0 && i % 3 === 1],
    ["keyword: status", { keyword: "status:404" }, (_, i) => i % 4 === 2],
    ["keyword: statuses", { keyword: "status:300-499" }, (_, i) => i % 4 === 1 || i % 4 === 2],
    ["keyword: path", { keyword: "requestPath:/11" }, (row) => String(row.requestPath).includes("/11")],
    ["keyword: scheme", { keyword: "scheme:https" }, (_, i) => i % 2 === 0],
    ["keyword: method", { keyword: "method:post" }, (_, i) => i % 10 === 0],
    ["keyword: referer", { keyword: "referer:search" }, (_, i) => i % 11 === 0],
    ["keyword: url", { keyword: "https://blog.test/2?q=2" }, (_, i) => i === 2],
    ["keyword: agent", { keyword: "crawler" }, (_, i) => i % 9 === 0],
    ["keyword: tag", { keyword: "slow" }, (_, i) => i % 12 === 0],
    ["keyword: bare method", { keyword: "POST" }, (_, i) => i % 10 === 0],
    ["keyword: percent sign", { keyword: "%" }, () => false],
  ])("finds %s", async (_name, filter, expected) => {
    expect(await uris(filter)).toEqual(urisWhere(expected));
  });

  test("finds a log by its request id as keyword", async () => {
    expect(await uris({ keyword: rows[7]!.requestId })).toEqual(["/7?q=0"]);
  });

  test.each([{}, { hasError: true }, { keyword: "mozilla" }])("pages both ways through %o", async (filter) => {
    const all = await uris(filter);
    const forward: string[] = [];
    for (let requestId = "", hasMore = true; hasMore;) {
      const page = await list({ ...filter, requestId, size: 7n });
      forward.push(...page.httpAccessLogs.map(({ requestURI }) => requestURI));
      ({ requestId, hasMore } = page);
    }
    expect(forward).toEqual(all);
    const backward: string[] = [];
    for (let requestId = "", hasMore = true; hasMore;) {
      const page = await list({ ...filter, requestId, size: 7n, reverse: true });
      backward.unshift(...page.httpAccessLogs.map(({ requestURI }) => requestURI));
      ({ requestId, hasMore } = page);
    }
    expect(backward).toEqual(all);
  });

  test("returns the cursor of the request if there are no logs", async () => {
    expect(await list({ day: "20240101", requestId: "17415648000" }))
      .toMatchObject({ httpAccessLogs: [], requestId: "17415648000", hasMore: false });
  });

  test("splits a day into partitions", async () => {
    const day = { day: "20250307" };
    for (const [from, count] of [[0, 100], [100, 3], [103, 2]] as const) {
      await send(Array.from({ length: count }, (_, index) => {
        const requestURI = `/${from + index}`;
        return { requestId: idAt((from + index) * 10 - 3 * 86_400), serverId: BigInt(index % 2 + 1), requestURI };
      }));
    }
    const { partitions, reversePartitions } = await edgehelm.call(admin, service.findHTTPAccessLogPartitions, day);
    expect([partitions, reversePartitions]).toEqual([[0, 1], [1, 0]]);
    expect(await uris({ ...day, partition: 1 })).toEqual(["/104", "/103", "/102", "/101", "/100"]);
    expect(await uris({ ...day, partition: -1, serverId: 2n })).toEqual(["/104", "/101"]);
    expect((await uris({ ...day, partition: 0 })).length).toBe(100);
    expect(await uris({ ...day, partition: 7 })).toEqual([]);
  });

  test("shows a user only the logs of their own sites", async () => {
    const ada = as.user(1n);
    expect(await uris({ userId: 2n }, ada)).toEqual(urisWhere((row) => row.serverId! % 3n === 1n));
    await expect(list({ serverId: 2n }, ada)).rejects.toMatchObject({ message: "not owned" });
    const found = await edgehelm.call(ada, service.findHTTPAccessLog, { requestId: rows[1]!.requestId });
    expect(found.httpAccessLog).toBeUndefined();
  });

  test.each([
    [{ day: "2025-03-10" }, "day"],
    [{ day: "20250230" }, "day"],
    [{ hourFrom: "1", hourTo: "24" }, "hourTo"],
    [{ ip: "10.0.0.300" }, "ip"],
    [{ ip: "10.0.0.0/33" }, "ip"],
    [{ keyword: "status:abc" }, "keyword"],
    [{ domain: `${"*a".repeat(126)}*b` }, "domain"],
    [{ size: 1001n }, "size"],
  ])("refuses %o", async (request, field) => {
    await expect(list(request)).rejects.toMatchObject({ code: 400, message: expect.stringContaining(`${field}:`) });
  });
});

test("deletes logs after the retention and keeps the others", async () => {
  const [old, young] = [idAt(-20 * 86_400), idAt(-13 * 86_400)];
  const httpAccessLogs = [{ requestId: old, requestURI: "/old" }, { requestId: young, requestURI: "/young" }];
  await edgehelm.call(admin, service.createHTTPAccessLogs, { httpAccessLogs });
  expect(await uris({ day: "20250218" })).toEqual(["/old"]);
  await edgehelm.kernel.runJob("http_access_log.keep");
  expect(await uris({ day: "20250218" })).toEqual([]);
  const day = { day: "20250218" };
  expect((await edgehelm.call(admin, service.findHTTPAccessLogPartitions, day)).partitions).toEqual([]);
  expect((await edgehelm.call(admin, service.findHTTPAccessLog, { requestId: young })).httpAccessLog).toBeDefined();
});
