import process from "node:process";
import { arch, hostname, platform, totalmem } from "node:os";
import { PROGRAM_VERSION } from "edgehelm";
import { as, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import admin from "../../../plugins/admin/plugin.ts";
import { AdminService } from "../../../plugins/admin/proto/service_admin_pb.ts";
import { open } from "../../../plugins/api_node/host.ts";
import plugin from "../../../plugins/api_node/plugin.ts";
import { APINodeService } from "../../../plugins/api_node/proto/service_api_node_pb.ts";

const rpc = APINodeService.method;
const operator = as.admin();
let clock: TestClock;

let edgehelm: TestKernel;
beforeEach(async () => {
  clock = new TestClock(1_800_000_000_000);
  await edgehelm?.[Symbol.asyncDispose]();
  edgehelm = await testKernel({ plugins: [plugin, admin], hosts: { api_node: open() }, clock });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

function bytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

/** The edge has no access to the machine. */
const HAS_MACHINE = process.env["TEST_RUNTIME"] !== "workerd";

function json(value: Uint8Array) {
  return JSON.parse(new TextDecoder().decode(value));
}

async function current() {
  return (await edgehelm.call(operator, rpc.findCurrentAPINode, {})).apiNode!;
}

async function all() {
  return (await edgehelm.call(operator, rpc.findAllEnabledAPINodes, {})).apiNodes;
}

describe("the instance that serves the call", () => {
  test("returns its version and platform", async () => {
    const version = await edgehelm.call(operator, rpc.findCurrentAPINodeVersion, {});
    const os = platform() === "win32" ? "windows" : platform();
    expect(version).toMatchObject({ version: PROGRAM_VERSION, role: "api" });
    if (HAS_MACHINE) expect(version).toMatchObject({ os, arch: arch() === "x64" ? "amd64" : arch() });
    else expect(version).toMatchObject({ os: "", arch: "" });
  });

  test("is an API node with its current status", async () => {
    const node = await current();
    expect(node).toMatchObject({
      name: "main",
      instanceCode: "main",
      isOn: true,
      isPrimary: true,
      RestIsOn: true,
      secret: "",
      uniqueId: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    const status = json(node.statusJSON);
    expect(status).toMatchObject({ buildVersion: PROGRAM_VERSION, isActive: true, updatedAt: 1_800_000_000 });
    if (HAS_MACHINE) {
      expect(status).toMatchObject({ hostname: hostname(), memoryTotal: totalmem() });
      expect(status.memoryUsage).toBeGreaterThan(0);
      expect(status.memoryUsage).toBeLessThan(1);
      expect(status.cpuUsage).toBeGreaterThanOrEqual(0);
      expect(status.cpuUsage).toBeLessThanOrEqual(1);
    }
    clock.advance(5);
    const again = await current();
    expect(again.id).toBe(node.id);
    expect(json(again.statusJSON).updatedAt).toBe(1_800_000_005);
  });

  test("each instance that shares a database reports its own status", async () => {
    await edgehelm.kernel.runJob("api_node.report_main");
    await edgehelm.stop();
    const { directory } = edgehelm;
    const config = { api_node: { instanceCode: "west" } };
    await using west = await testKernel({ plugins: [plugin, admin], config, directory, clock });
    await west.kernel.runJob("api_node.report_west");
    const { apiNodes } = await west.call(operator, rpc.findAllEnabledAPINodes, {});
    expect(apiNodes.map(({ instanceCode, isPrimary }) => [instanceCode, isPrimary]))
      .toEqual([["west", false], ["main", true]]);
    expect(await west.call(operator, rpc.findCurrentAPINodeVersion, {})).toMatchObject({ os: "", arch: "" });
    clock.advance(91);
    await west.kernel.runJob("api_node.report_west");
    const figures = await west.call(operator, AdminService.method.composeAdminDashboard, {});
    expect(figures).toMatchObject({ countAPINodes: 2n, countOfflineAPINodes: 1n });
  });
});

test("an admin creates an API node, makes it primary, and deletes it", async () => {
  const main = await current();
  const listen = { isOn: true, listen: [{ protocol: "https", portRange: "8003" }] };
  const { apiNodeId } = await edgehelm.call(operator, rpc.createAPINode, {
    name: " east ",
    description: "the eastern one",
    httpsJSON: bytes(listen),
    accessAddrsJSON: bytes([
      { protocol: "https", host: "api.example.com", portRange: "8003" },
      { protocol: "http", host: "2001:db8::1", portRange: "80" },
    ]),
  });
  expect((await edgehelm.call(operator, rpc.findEnabledAPINode, { apiNodeId })).apiNode).toMatchObject({
    name: "east",
    isOn: false,
    isPrimary: false,
    RestIsOn: false,
    httpsJSON: bytes(listen),
    accessAddrs: ["https://api.example.com:8003", "http://[2001:db8::1]:80"],
  });
  const update = { apiNodeId, name: "east", isOn: true, restIsOn: true, isPrimary: true };
  await edgehelm.call(operator, rpc.updateAPINode, update);
  expect((await all()).map(({ name, isPrimary, isOn }) => [name, isPrimary, isOn]))
    .toEqual([["east", true, true], ["main", false, true]]);
  expect((await all())[0]!.httpsJSON).toEqual(bytes(listen));
  expect((await edgehelm.call(operator, rpc.countAllEnabledAPINodes, {})).count).toBe(2n);

  await expect(edgehelm.call(operator, rpc.deleteAPINode, { apiNodeId }))
    .rejects.toMatchObject({ code: 409, reason: "api_node.is_primary" });
  await expect(edgehelm.call(operator, rpc.updateAPINode, { ...update, isPrimary: false }))
    .rejects.toMatchObject({ code: 409, reason: "api_node.primary_needed" });
  await expect(edgehelm.call(operator, rpc.deleteAPINode, { apiNodeId: main.id }))
    .rejects.toMatchObject({ code: 409, reason: "api_node.is_current" });
  await edgehelm.call(operator, rpc.updateAPINode, { apiNodeId: main.id, name: "main", isPrimary: true });
  expect((await edgehelm.call(operator, rpc.countAllEnabledAndOnAPINodes, {})).count).toBe(1n);
  await edgehelm.call(operator, rpc.deleteAPINode, { apiNodeId });
  const { apiNodes } = await edgehelm.call(operator, rpc.listEnabledAPINodes, { size: 5n });
  expect(apiNodes.map(({ id }) => id)).toEqual([main.id]);
});

test("nodes find the API nodes", async () => {
  await current();
  for (const caller of [as.node(), as.dns()]) {
    expect((await edgehelm.call(caller, rpc.findAllEnabledAPINodes, {})).apiNodes).toHaveLength(1);
  }
  await expect(edgehelm.call(as.user(7n), rpc.findAllEnabledAPINodes, {})).rejects.toMatchObject({ code: 403 });
});

test.each([
  [{ name: "" }, "name: must not be empty"],
  [{ httpJSON: bytes({ listen: [{ protocol: "https", portRange: "80" }] }) }, "httpJSON.listen[0].protocol: must be"],
  [
    { httpsJSON: bytes({ listen: [{ protocol: "https", portRange: "80-90" }] }) },
    "httpsJSON.listen[0].portRange: must",
  ],
  [{ httpsJSON: bytes({ sslPolicyRef: { isOn: true } }) }, "httpsJSON.sslPolicyRef.sslPolicyId: must be a positive id"],
  [{ accessAddrsJSON: bytes([{ protocol: "http", portRange: "80" }]) }, "accessAddrsJSON[0].host: must not be empty"],
  [
    { accessAddrsJSON: bytes([{ protocol: "http", host: "a/b", portRange: "80" }]) },
    "accessAddrsJSON[0].host: must be",
  ],
  [{ restHTTPJSON: bytes([]) }, "restHTTPJSON"],
])("createAPINode refuses %j", async (wrong, message) => {
  await expect(edgehelm.call(operator, rpc.createAPINode, { name: "node", ...wrong }))
    .rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) });
});

test("changes of an API node that does not exist are refused", async () => {
  const notFound = { code: 404, reason: "api_node.not_found", message: "API node 9999 does not exist" };
  await expect(edgehelm.call(operator, rpc.updateAPINode, { apiNodeId: 9999n, name: "x" })).rejects.toMatchObject(
    notFound,
  );
  await expect(edgehelm.call(operator, rpc.deleteAPINode, { apiNodeId: 9999n })).rejects.toMatchObject(notFound);
  expect((await edgehelm.call(operator, rpc.findEnabledAPINode, { apiNodeId: 9999n })).apiNode).toBeUndefined();
});
