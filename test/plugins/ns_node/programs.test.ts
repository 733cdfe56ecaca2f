import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { as, type TestKernel } from "edgehelm/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { open } from "../../../plugins/ns_node/host.ts";
import { type HostServices, InstallError } from "../../../plugins/ns_node/host_services.ts";
import { NSNodeConfigSchema } from "../../../plugins/ns_node/proto/config_pb.ts";
import { create } from "@bufbuild/protobuf";
import { admin, bytes, clusterOf, nodeKernel, rpc } from "./rig.ts";

async function packages(...names: string[]): Promise<HostServices> {
  const deployDirectory = await mkdtemp(join(tmpdir(), "edgehelm-test-"));
  onTestFinished(() => rm(deployDirectory, { recursive: true }));
  for (const name of names) await writeFile(join(deployDirectory, name), name.repeat(50_000));
  return open(create(NSNodeConfigSchema, { deployDirectory }));
}

async function createNode(edgehelm: TestKernel, params?: object): Promise<{ nsNodeId: bigint; nsClusterId: bigint }> {
  const nsClusterId = await clusterOf(edgehelm);
  const nodeLogin = params && { type: "ssh", params: bytes(params) };
  const request = { name: "n", nodeClusterId: nsClusterId, ...(nodeLogin && { nodeLogin }) };
  return { nsClusterId, nsNodeId: (await edgehelm.call(admin, rpc.createNSNode, request)).nsNodeId };
}

describe("deploy packages", () => {
  test("are compared by version number and downloaded in chunks", async () => {
    const newest = "edge-dns-linux-amd64-v1.10.0.zip";
    const hostServices = await packages(
      "edge-dns-linux-amd64-v1.9.9.zip",
      newest,
      "edge-dns-linux-arm64-v1.2.0.zip",
      "edge-node-linux-amd64-v9.0.0.zip",
      "edge-dns-linux-amd64-v2.0.0.zip.tmp",
    );
    await using edgehelm = (await nodeKernel(hostServices)).edgehelm;
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

    const content = new TextEncoder().encode(newest.repeat(50_000));
    const chunks: Uint8Array[] = [];
    for (let chunkOffset = 0n;;) {
      const request = { os: "linux", arch: "amd64", chunkOffset };
      const chunk = await edgehelm.call(as.dns(nsNodeId), rpc.downloadNSNodeInstallationFile, request);
      expect(chunk).toMatchObject({ filename: newest, version: "1.10.0" });
      expect(chunk.sum).toBe(createHash("md5").update(content).digest("hex"));
      if (chunk.chunkData.length === 0) break;
      chunks.push(chunk.chunkData);
      chunkOffset = chunk.offset;
    }
    expect(chunks.length).toBe(Math.ceil(content.length / (512 * 1024)));
    expect(createHash("md5").update(await new Blob(chunks as BlobPart[]).bytes()).digest("hex"))
      .toBe(createHash("md5").update(content).digest("hex"));
    await expect(edgehelm.call(as.dns(nsNodeId), rpc.downloadNSNodeInstallationFile, { os: "linux", arch: "mips" }))
      .rejects.toMatchObject({ code: 404, reason: "ns_node.no_package" });
  });

  test("may be missing, and are unavailable on the edge", async () => {
    await using empty =
      (await nodeKernel(open(create(NSNodeConfigSchema, { deployDirectory: "no/such/folder" })))).edgehelm;
    expect((await empty.call(admin, rpc.findLatestNSNodeVersion, {})).version).toBe("");
    await using edge = (await nodeKernel()).edgehelm;
    await expect(edge.call(admin, rpc.findLatestNSNodeVersion, {})).rejects.toMatchObject({ code: 503 });
  });
});

describe("installNSNode", () => {
  const status = async (edgehelm: TestKernel, nsNodeId: bigint) =>
    (await edgehelm.call(admin, rpc.findNSNodeInstallStatus, { nsNodeId })).installStatus;

  test.each([
    ["EMPTY_LOGIN", undefined],
    ["EMPTY_SSH_HOST", { port: 22, grantId: 1 }],
    ["EMPTY_SSH_PORT", { host: "192.0.2.1", grantId: 1 }],
    ["EMPTY_GRANT", { host: "192.0.2.1", port: 22 }],
  ])("fails with %s for the login %j", async (errorCode, params) => {
    await using edgehelm = (await nodeKernel()).edgehelm;
    const { nsNodeId } = await createNode(edgehelm, params);
    await edgehelm.call(admin, rpc.installNSNode, { nsNodeId });
    expect(await status(edgehelm, nsNodeId)).toMatchObject({
      isRunning: false,
      isFinished: true,
      isOk: false,
      errorCode,
    });
    const started = await edgehelm.call(admin, rpc.startNSNode, { nsNodeId });
    expect(started).toMatchObject({ isOk: false, error: (await status(edgehelm, nsNodeId))!.error });
    await edgehelm.call(admin, rpc.updateNSNodeIsInstalled, { nsNodeId, isInstalled: true });
    expect(await status(edgehelm, nsNodeId)).toMatchObject({ isFinished: true, isOk: true, errorCode: "" });
    await edgehelm.call(admin, rpc.updateNSNodeIsInstalled, { nsNodeId, isInstalled: false });
    expect(await status(edgehelm, nsNodeId)).toMatchObject({ isFinished: false, isOk: false, errorCode: "" });
  });

  const params = { host: "192.0.2.1", port: 22, grantId: 1 };

  test("is unavailable without SSH and changes nothing", async () => {
    await using edgehelm = (await nodeKernel()).edgehelm;
    const { nsNodeId } = await createNode(edgehelm, params);
    await expect(edgehelm.call(admin, rpc.installNSNode, { nsNodeId })).rejects.toMatchObject({ code: 503 });
    await expect(edgehelm.call(admin, rpc.startNSNode, { nsNodeId })).rejects.toMatchObject({ code: 503 });
    await expect(edgehelm.call(admin, rpc.stopNSNode, { nsNodeId })).rejects.toMatchObject({ code: 503 });
    expect(await status(edgehelm, nsNodeId)).toMatchObject({ isRunning: false, isFinished: false });
    await expect(edgehelm.call(admin, rpc.installNSNode, { nsNodeId: 99n })).rejects.toMatchObject({ code: 404 });
  });

  test("is queued, runs, and succeeds or fails; without a heartbeat it is reported as failed", async () => {
    const done = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const started = Promise.withResolvers<void>();
    const installed: object[] = [];
    const hostServices: HostServices = {
      ...await packages(),
      install: (_call, installation) => {
        started.resolve();
        return done[installed.push(installation) - 1]!.promise;
      },
      start: () => Promise.reject(new Error("no route to host")),
      stop: () => Promise.resolve(),
    };
    const { edgehelm, clock } = await nodeKernel(hostServices);
    await using _ = edgehelm;
    const { nsNodeId } = await createNode(edgehelm, params);
    const now = () => status(edgehelm, nsNodeId);
    await edgehelm.call(admin, rpc.installNSNode, { nsNodeId });
    expect(await now()).toMatchObject({ isRunning: true, isFinished: false });
    await expect(edgehelm.call(admin, rpc.installNSNode, { nsNodeId }))
      .rejects.toMatchObject({ code: 409, reason: "ns_node.is_installing" });
    const first = edgehelm.kernel.runJob("ns_node.install");
    await started.promise;
    clock.advance(11);
    expect(await now()).toMatchObject({ isRunning: false, isFinished: true, isOk: false, error: "timeout" });
    done[0]!.reject(new InstallError("SSH_LOGIN_FAILED", "permission denied"));
    await first;
    expect(await now()).toMatchObject({ isFinished: true, isOk: false, errorCode: "SSH_LOGIN_FAILED" });
    await edgehelm.call(admin, rpc.installNSNode, { nsNodeId });
    done[1]!.resolve();
    await edgehelm.kernel.runJob("ns_node.install");
    expect(await now()).toMatchObject({ isRunning: false, isFinished: true, isOk: true });
    const { nsNode } = await edgehelm.call(admin, rpc.findNSNode, { nsNodeId });
    expect(nsNode?.isInstalled).toBe(true);
    expect(installed).toMatchObject([{ ...params, grantId: 1n }, {
      uniqueId: nsNode!.uniqueId,
      secret: nsNode!.secret,
    }]);
    expect(await edgehelm.call(admin, rpc.startNSNode, { nsNodeId })).toMatchObject({ error: "no route to host" });
    expect(await edgehelm.call(admin, rpc.stopNSNode, { nsNodeId })).toMatchObject({ isOk: true });
  });
});
