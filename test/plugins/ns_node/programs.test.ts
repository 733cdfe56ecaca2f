import { as, stub, type TestKernel } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import {
  type InstallStatus,
  NodeInstallations,
  type NodePackage,
  type NodeProgram,
  type ProgramInstaller,
} from "../../../plugins/node_installation/contract.ts";
import { admin, bytes, clusterOf, nodeKernel, rpc } from "./rig.ts";

const CONTENT = new TextEncoder().encode("edge-dns ".repeat(100_000));
const FINISHED = { isRunning: false, isFinished: true, isOk: false, error: "", errorCode: "", updatedAt: 0n };

function packageOf(arch: string, version: string): NodePackage {
  const filename = `edge-dns-linux-${arch}-v${version}.tar.gz`;
  return { os: "linux", arch, version, filename, sha256: "s".repeat(64), md5: "m".repeat(32) };
}

/** A stand-in for the plugin that installs programs. `done` has what it was asked for. */
function installations(packages: readonly NodePackage[] = []) {
  const statuses = new Map<bigint, InstallStatus>();
  const done: string[] = [];
  let program: NodeProgram | undefined;
  const installer: ProgramInstaller = {
    request: async (_call, id, kind) => void done.push(`${kind} ${id}`),
    statuses: () => Promise.resolve(statuses),
    forget: async (_call, id) => {
      done.push(`forget ${id}`);
      statuses.delete(id);
    },
    control: (_call, id, verb) => {
      done.push(`${verb} ${id}`);
      return Promise.resolve(verb === "start" ? "no route to host" : undefined);
    },
    latest: () => Promise.resolve(packages),
    read: (_call, _filename, offset, size) => Promise.resolve(CONTENT.slice(Number(offset), Number(offset) + size)),
  };
  const contract = stub(NodeInstallations, {
    of(own) {
      program = own;
      return installer;
    },
  });
  return { contract, done, statuses, program: () => program! };
}

async function createNode(edgehelm: TestKernel, params?: object): Promise<{ nsNodeId: bigint; nsClusterId: bigint }> {
  const nsClusterId = await clusterOf(edgehelm);
  const nodeLogin = params && { type: "ssh", params: bytes(params) };
  const request = { name: "n", nodeClusterId: nsClusterId, ...(nodeLogin && { nodeLogin }) };
  return { nsClusterId, nsNodeId: (await edgehelm.call(admin, rpc.createNSNode, request)).nsNodeId };
}

describe("packages", () => {
  test("are compared by version number and downloaded in chunks", async () => {
    const { contract } = installations([packageOf("amd64", "1.10.0"), packageOf("arm64", "1.2.0")]);
    await using edgehelm = (await nodeKernel([contract])).edgehelm;
    const check = (currentVersion: string, arch = "amd64") =>
      edgehelm.call(admin, rpc.checkNSNodeLatestVersion, { os: "linux", arch, currentVersion });
    expect((await edgehelm.call(admin, rpc.findLatestNSNodeVersion, {})).version).toBe("1.10.0");
    expect(await check("1.9.9")).toMatchObject({ hasNewVersion: true, newVersion: "1.10.0" });
    expect(await check("1.10")).toMatchObject({ hasNewVersion: false, newVersion: "" });
    expect(await check("1.0.0", "mips")).toMatchObject({ hasNewVersion: false });

    const { nsNodeId, nsClusterId } = await createNode(edgehelm);
    const countOutdated = async () =>
      (await edgehelm.call(admin, rpc.countAllUpgradeNSNodesWithNSClusterId, { nsClusterId })).count;
    const report = (buildVersion: string) =>
      edgehelm.call(as.dns(nsNodeId), rpc.updateNSNodeStatus, {
        statusJSON: bytes({ os: "linux", arch: "amd64", buildVersion, isActive: true }),
      });
    expect(await countOutdated()).toBe(0n);
    await report("");
    expect(await countOutdated()).toBe(1n);
    await report("1.9.12");
    expect(await countOutdated()).toBe(1n);
    await report("1.10.0");
    expect(await countOutdated()).toBe(0n);

    const chunks: Uint8Array[] = [];
    for (let chunkOffset = 0n;;) {
      const request = { os: "linux", arch: "amd64", chunkOffset };
      const chunk = await edgehelm.call(as.dns(nsNodeId), rpc.downloadNSNodeInstallationFile, request);
      const { filename, md5: sum } = packageOf("amd64", "1.10.0");
      expect(chunk).toMatchObject({ filename, version: "1.10.0", sum });
      if (chunk.chunkData.length === 0) break;
      chunks.push(chunk.chunkData);
      chunkOffset = chunk.offset;
    }
    expect(chunks.length).toBe(Math.ceil(CONTENT.length / (512 * 1024)));
    expect(await new Blob(chunks as BlobPart[]).bytes()).toEqual(CONTENT);
    await expect(edgehelm.call(as.dns(nsNodeId), rpc.downloadNSNodeInstallationFile, { os: "linux", arch: "mips" }))
      .rejects.toMatchObject({ code: 404, reason: "ns_node.no_package" });
  });
});

describe("installNSNode, startNSNode and stopNSNode", () => {
  const params = { host: "192.0.2.1", port: 22, grantId: 1 };

  test("are unavailable without the plugin node_installation", async () => {
    await using edgehelm = (await nodeKernel()).edgehelm;
    const { nsNodeId } = await createNode(edgehelm, params);
    for (const method of [rpc.installNSNode, rpc.startNSNode, rpc.stopNSNode]) {
      await expect(edgehelm.call(admin, method as typeof rpc.startNSNode, { nsNodeId }))
        .rejects.toMatchObject({ code: 503 });
    }
    expect((await edgehelm.call(admin, rpc.findLatestNSNodeVersion, {})).version).toBe("");
    await expect(edgehelm.call(admin, rpc.installNSNode, { nsNodeId: 99n })).rejects.toMatchObject({ code: 404 });
  });

  test("describe the node to node_installation, and tell what it says", async () => {
    const { contract, done, statuses, program } = installations();
    await using edgehelm = (await nodeKernel([contract])).edgehelm;
    const { nsNodeId } = await createNode(edgehelm, params);
    const status = async () => (await edgehelm.call(admin, rpc.findNSNodeInstallStatus, { nsNodeId })).installStatus;
    await edgehelm.call(admin, rpc.installNSNode, { nsNodeId });
    expect(await edgehelm.call(admin, rpc.startNSNode, { nsNodeId })).toMatchObject({ error: "no route to host" });
    expect(await edgehelm.call(admin, rpc.stopNSNode, { nsNodeId })).toMatchObject({ isOk: true });
    expect(done).toEqual([`install ${nsNodeId}`, `start ${nsNodeId}`, `stop ${nsNodeId}`]);
    const { nsNode } = await edgehelm.call(admin, rpc.findNSNode, { nsNodeId });
    const call = edgehelm.kernel.systemCall("test");
    const { uniqueId, secret } = nsNode!;
    const login = { ...params, grantId: 1n };
    expect(await program().find(call, nsNodeId)).toMatchObject({ name: "n", uniqueId, secret, login });
    expect(await program().find(call, 99n)).toBeUndefined();
    expect(await status()).toMatchObject({ isFinished: false, isOk: false });
    statuses.set(nsNodeId, { ...FINISHED, errorCode: "TEST_FAILED", error: "it crashed" });
    expect(await status()).toMatchObject({ errorCode: "TEST_FAILED", error: "it crashed" });
    await call.transact((inner) => program().installed(inner, nsNodeId));
    expect((await edgehelm.call(admin, rpc.findNSNode, { nsNodeId })).nsNode?.isInstalled).toBe(true);
    await edgehelm.call(admin, rpc.updateNSNodeIsInstalled, { nsNodeId, isInstalled: true });
    expect(await status()).toMatchObject({ isFinished: true, isOk: true, errorCode: "" });
    await edgehelm.call(admin, rpc.updateNSNodeIsInstalled, { nsNodeId, isInstalled: false });
    expect(await status()).toMatchObject({ isFinished: false, isOk: false, errorCode: "" });
    await edgehelm.call(admin, rpc.deleteNSNode, { nsNodeId });
    expect(done.filter((one) => one === `forget ${nsNodeId}`)).toHaveLength(3);
  });
});
