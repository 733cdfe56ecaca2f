import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Sshd, sshdRuns, startSshd } from "../../servers/sshd.ts";
import { Site } from "./rig.ts";

const NAME = "edge-node";

describe.skipIf(!sshdRuns())("an edge node on a machine without SFTP", () => {
  let sshd: Sshd;
  let site: Site;
  let nodeId: number;
  let nodeClusterId: number;
  beforeAll(async () => {
    sshd = await startSshd({ hasSftp: false });
    site = await Site.open(`${sshd.folder}/unused`);
    ({ nodeId, nodeClusterId } = await site.edgeNode(sshd, await site.grant(), `${sshd.folder}/of cluster's own`));
    await site.upload({ name: NAME, version: "1.0.0", padding: 1_500_000 });
  });
  afterAll(async () => {
    await site?.[Symbol.asyncDispose]();
    await sshd?.[Symbol.asyncDispose]();
  });

  /** Waits until the node has reported a version and its stream is open. */
  async function connected(version: string): Promise<void> {
    await vi.waitFor(async () => {
      const { node } = await site.call("NodeService/findEnabledNode", { nodeId });
      const status = JSON.parse(Buffer.from(node.statusJSON ?? "bnVsbA==", "base64").toString());
      expect([status?.buildVersion, node.isActive]).toEqual([version, true]);
      const command = { nodeId, code: "ping", timeoutSeconds: 1 };
      const { message } = await site.call("NodeService/sendCommandToNode", command);
      expect(message).toBe("response timeout over 1 seconds");
    }, { timeout: 90_000, interval: 250 });
  }

  test("is installed with the grant and in the directory of its cluster, and connects to the API", async () => {
    await site.call("NodeService/installNode", { nodeId });
    expect(await site.ended("node", nodeId)).toMatchObject({ state: "done", kind: "install" });
    expect(sshd.run(`cat "${sshd.folder}/of cluster's own/${NAME}/current/VERSION"`)).toBe("1.0.0");
    await connected("1.0.0");
    const { node } = await site.call("NodeService/findEnabledNode", { nodeId });
    expect(node).toMatchObject({ isInstalled: true, installStatus: { isFinished: true, isOk: true } });
  });

  test("is found to have a newer package, and upgraded", async () => {
    const none = await site.call("NodeService/findAllUpgradeNodesWithNodeClusterId", { nodeClusterId });
    expect(none).toEqual({ nodes: [] });
    await site.upload({ name: NAME, version: "1.10.0" });
    const { nodes } = await site.call("NodeService/findAllUpgradeNodesWithNodeClusterId", { nodeClusterId });
    expect(nodes).toMatchObject([{ node: { id: nodeId }, os: "linux", oldVersion: "1.0.0", newVersion: "1.10.0" }]);
    await site.call("NodeService/upgradeNode", { nodeId });
    expect(await site.ended("node", nodeId)).toMatchObject({ state: "done", kind: "upgrade", version: "1.10.0" });
    await connected("1.10.0");
    const { count } = await site.call("NodeService/countAllUpgradeNodesWithNodeClusterId", { nodeClusterId });
    expect(count).toBe(0);
  });

  test("is stopped and started", async () => {
    expect(await site.call("NodeService/stopNode", { nodeId })).toMatchObject({ isOk: true });
    expect((await site.call("NodeService/findEnabledNode", { nodeId })).node.isActive).toBe(false);
    expect(await site.call("NodeService/startNode", { nodeId })).toMatchObject({ isOk: true });
    await connected("1.10.0");
  });

  test("with a full disk is not installed, and nothing is left of the attempt", async () => {
    const full = await site.edgeNode(sshd, await site.grant(), sshd.smallFolder);
    const packageId = await site.upload({ name: NAME, version: "2.0.0", padding: 600_000 });
    await site.call("NodeService/installNode", { nodeId: full.nodeId });
    expect(await site.ended("node", full.nodeId)).toMatchObject({
      state: "failed",
      errorCode: "INSTALL_HELPER_FAILED",
      error: expect.stringContaining("No space left on device"),
    });
    expect(sshd.run(`ls -A ${sshd.smallFolder}/${NAME}/releases`)).toBe("");
    expect(sshd.run(`ls -A ${sshd.home}/.edgehelm`)).toBe("");
    await site.removePackage(packageId);
  });
});
