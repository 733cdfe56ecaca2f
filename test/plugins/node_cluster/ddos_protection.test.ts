import { describe, expect, test } from "vitest";
import { admin, bytes, edgehelm, json, newCluster, rpc, useKernel } from "./rig.ts";

useKernel();

describe("DDoS protection", () => {
  test("is off by default and stored unchanged", async () => {
    const nodeClusterId = await newCluster();
    const read = async () =>
      json((await edgehelm.call(admin, rpc.findNodeClusterDDoSProtection, { nodeClusterId })).ddosProtectionJSON);
    expect(await read()).toMatchObject({ tcp: { isOn: false, maxConnections: 0, allowIPList: [] } });
    const protection = { tcp: { isOn: true, maxConnectionsPerIP: 5, allowIPList: [{ ip: "2001:db8::1" }] } };
    const ddosProtectionJSON = bytes(protection);
    await edgehelm.call(admin, rpc.updateNodeClusterDDoSProtection, { nodeClusterId, ddosProtectionJSON });
    await edgehelm.call(admin, rpc.updateNodeClusterDDoSProtection, { nodeClusterId });
    expect(await read()).toEqual(protection);
  });

  test.each([
    [{ tcp: { maxConnectionsPerIP: 4 } }, "ddosProtectionJSON.tcp.maxConnectionsPerIP: must be 0 or 5 to"],
    [{ tcp: { allowIPList: [{ ip: "x" }] } }, "ddosProtectionJSON.tcp.allowIPList[0].ip: must be an IP address"],
    [{ tcp: { ports: [{ port: 0 }] } }, "ddosProtectionJSON.tcp.ports[0].port: must be 1 to 65535"],
  ])("refuses %j", async (wrong, message) => {
    const request = { nodeClusterId: await newCluster(), ddosProtectionJSON: bytes(wrong) };
    await expect(edgehelm.call(admin, rpc.updateNodeClusterDDoSProtection, request))
      .rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });
});
