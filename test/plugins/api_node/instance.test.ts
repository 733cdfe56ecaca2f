import { PROGRAM_VERSION } from "edgehelm/runtime";
import { testKernel } from "edgehelm/testing";
import { arch, hostname, platform, totalmem } from "node:os";
import process from "node:process";
import { describe, expect, test } from "vitest";
import admin from "../../../plugins/admin/plugin.ts";
import { AdminService } from "../../../plugins/admin/proto/service_admin_pb.ts";
import plugin from "../../../plugins/api_node/plugin.ts";
import { clock, current, edgehelm, operator, rpc, useKernel } from "./rig.ts";

useKernel();

/** The edge has no access to the machine. */
const HAS_MACHINE = process.env["TEST_RUNTIME"] !== "workerd";

function json(value: Uint8Array) {
  return JSON.parse(new TextDecoder().decode(value));
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
