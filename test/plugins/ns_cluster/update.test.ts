import { describe, expect, test } from "vitest";
import { admin, edgehelm, newCluster, rpc } from "./rig.ts";

describe("updateNSCluster", () => {
  const settings = {
    name: "new",
    isOn: false,
    hosts: ["ns9.example.com"],
    autoRemoteStart: true,
    timeZone: "Asia/Shanghai",
    detectAgents: true,
    email: "new@example.com",
    checkingPorts: true,
  };

  test("replaces every scalar field and clears omitted ones", async () => {
    const nsClusterId = await newCluster();
    await edgehelm.call(admin, rpc.updateNSCluster, { nsClusterId, ...settings });
    const { nsCluster } = await edgehelm.call(admin, rpc.findNSCluster, { nsClusterId });
    expect(nsCluster).toMatchObject(settings);
    await edgehelm.call(admin, rpc.updateNSCluster, { nsClusterId, name: "bare" });
    const bare = await edgehelm.call(admin, rpc.findNSCluster, { nsClusterId });
    expect(bare.nsCluster).toMatchObject({ name: "bare", hosts: [], timeZone: "", email: "", checkingPorts: false });
  });

  test.each(["Mars/Base", "+08:00"])("refuses the time zone %s", async (timeZone) => {
    const update = edgehelm.call(admin, rpc.updateNSCluster, {
      ...settings,
      nsClusterId: await newCluster(),
      timeZone,
    });
    await expect(update).rejects.toMatchObject({ code: 400, message: expect.stringContaining("timeZone: must be") });
  });

  test("does not find a cluster that does not exist", async () => {
    const refused = { code: 404, reason: "ns_cluster.not_found", message: "DNS cluster 9999 does not exist" };
    const update = edgehelm.call(admin, rpc.updateNSCluster, { ...settings, nsClusterId: 9999n });
    await expect(update).rejects.toMatchObject(refused);
  });
});
