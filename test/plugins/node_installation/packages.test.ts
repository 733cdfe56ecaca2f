import { createHash } from "node:crypto";
import { as, stub, type TestKernel, testKernel } from "edgehelm/testing";
import { definePlugin } from "edgehelm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import file from "../../../plugins/file/plugin.ts";
import { FileService } from "../../../plugins/file/proto/service_file_pb.ts";
import fileChunk from "../../../plugins/file_chunk/plugin.ts";
import { FileChunkService } from "../../../plugins/file_chunk/proto/service_file_chunk_pb.ts";
import { NodeGrants } from "../../../plugins/node_grant/contract.ts";
import {
  type InstallableNode,
  NodeInstallations,
  type ProgramInstaller,
} from "../../../plugins/node_installation/contract.ts";
import plugin from "../../../plugins/node_installation/plugin.ts";
import { NodeInstallationService } from "../../../plugins/node_installation/proto/service_node_installation_pb.ts";

const rpc = NodeInstallationService.method;
const admin = as.admin();
const CONTENT = new Uint8Array(2_500_000).map((_, index) => index % 251);
const SHA256 = createHash("sha256").update(CONTENT).digest("hex");

const LOGIN = { host: "192.0.2.1", port: 22, grantId: 1n };
const NODE = { name: "n", uniqueId: "u", secret: "s", installDir: "", apiNodeAddrsJSON: null, login: LOGIN };
const nodes = new Map<bigint, InstallableNode>([[1n, NODE]]);

let installer: ProgramInstaller;
/** Stands in for the plugin of DNS nodes. */
const program = definePlugin({
  manifest: { name: "program", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  requires: { installations: NodeInstallations },
  setup({ deps }) {
    installer = deps.installations.of({
      role: "dns",
      module: "ns",
      name: "edge-dns",
      find: (_call, id) => Promise.resolve(nodes.get(id)),
      installed: () => Promise.resolve(),
    });
  },
});
const grant = { method: "user", username: "root", password: "p", privateKey: "", passphrase: "", su: false } as const;
const grants = stub(NodeGrants, { login: (_call, id) => Promise.resolve(id === 1n ? grant : undefined) });

let edgehelm: TestKernel;
beforeAll(async () => {
  const plugins = [plugin, file, fileChunk, program];
  edgehelm = await testKernel({ plugins, stubs: [grants], admins: { 7: ["node"], 8: ["ns"] } });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function upload(filename: string, isFinished = true): Promise<bigint> {
  const request = { filename, size: BigInt(CONTENT.length) };
  const { fileId } = await edgehelm.call(admin, FileService.method.createFile, request);
  for (let at = 0; at < CONTENT.length; at += 900_000) {
    const data = CONTENT.slice(at, at + 900_000);
    await edgehelm.call(admin, FileChunkService.method.createFileChunk, { fileId, data });
  }
  if (isFinished) await edgehelm.call(admin, FileService.method.updateFileFinished, { fileId });
  return fileId;
}
const create = (fileId: bigint, sha256 = SHA256) => edgehelm.call(admin, rpc.createNodePackage, { fileId, sha256 });

describe("packages", () => {
  test("are files with a known sum, read from any offset, and the newest of each machine counts", async () => {
    const filename = "edge-dns-linux-amd64-v1.10.0.tar.gz";
    await create(await upload("edge-dns-linux-amd64-v1.9.0.zip"));
    const fileId = await upload(filename);
    const { nodePackageId } = await create(fileId, SHA256.toUpperCase());
    await create(await upload("edge-dns-linux-arm64-v1.0.0.tar.gz"));
    const call = edgehelm.kernel.systemCall("test");
    const latest = await installer.latest(call);
    expect(latest.map((one) => one.filename).sort()).toEqual([filename, "edge-dns-linux-arm64-v1.0.0.tar.gz"]);
    const found = latest.find((one) => one.filename === filename)!;
    expect(found).toMatchObject({ sha256: SHA256, md5: createHash("md5").update(CONTENT).digest("hex") });
    for (const [offset, size] of [[0, 10], [899_990, 20], [0, 3_000_000], [2_499_999, 10], [2_500_000, 10]] as const) {
      const bytes = await installer.read(call, filename, BigInt(offset), size);
      expect(Buffer.from(bytes).equals(CONTENT.subarray(offset, offset + size))).toBe(true);
    }
    await edgehelm.call(admin, rpc.deleteNodePackage, { nodePackageId });
    expect((await edgehelm.call(admin, FileService.method.findEnabledFile, { fileId })).file).toBeUndefined();
    const { nodePackages } = await edgehelm.call(admin, rpc.findAllNodePackages, {});
    expect(nodePackages.map(({ version }) => version)).toEqual(["1.0.0", "1.9.0"]);
    await expect(edgehelm.call(admin, rpc.deleteNodePackage, { nodePackageId })).rejects.toMatchObject({ code: 404 });
  });

  test("are refused with another sum or name, twice, and from an unfinished file", async () => {
    const fileId = await upload("edge-dns-linux-amd64-v3.0.0.tar.gz");
    await expect(create(fileId, "0".repeat(64))).rejects.toMatchObject({ message: expect.stringContaining(SHA256) });
    await expect(create(fileId, "0")).rejects.toMatchObject({ message: expect.stringContaining("64 hexadecimal") });
    await create(fileId);
    await expect(create(fileId)).rejects.toMatchObject({ reason: "node_installation.package_exists" });
    for (const name of ["linux-amd64-v1.0.0.zip", "edge-dns-linux-amd64.tar.gz", "edge-dns-x-y-v1.rar"]) {
      await expect(upload(name).then(create)).rejects.toMatchObject({
        message: expect.stringContaining("edge-dns-linux"),
      });
    }
    await expect(upload("edge-dns-linux-amd64-v4.0.0.zip", false).then(create))
      .rejects.toMatchObject({ message: expect.stringContaining("is not finished") });
    await expect(create(999n)).rejects.toMatchObject({ code: 404 });
  });
});

describe("an installation", () => {
  const request = (id: bigint) => {
    const call = edgehelm.kernel.systemCall("test");
    return installer.request(call, id, "install");
  };

  test.each([
    ["EMPTY_LOGIN", undefined],
    ["EMPTY_SSH_HOST", { ...LOGIN, host: "" }],
    ["EMPTY_SSH_PORT", { ...LOGIN, port: 0 }],
    ["EMPTY_GRANT", { ...LOGIN, grantId: 0n }],
    ["EMPTY_GRANT", { ...LOGIN, grantId: 2n }],
  ])("fails with %s if the login is not complete (%#)", async (errorCode, login) => {
    nodes.set(5n, { ...NODE, login });
    await request(5n);
    const { nodeInstallation } = await edgehelm.call(admin, rpc.findNodeInstallation, { role: "dns", nodeId: 5n });
    expect(nodeInstallation).toMatchObject({ state: "failed", errorCode });
    const status = (await installer.statuses(edgehelm.kernel.systemCall("test"), [5n])).get(5n);
    expect(status).toMatchObject({ isRunning: false, isFinished: true, isOk: false, errorCode });
    expect(await installer.control(edgehelm.kernel.systemCall("test"), 5n, "start")).toBe(nodeInstallation!.error);
  });

  test("and the control of a program are unavailable on a host without SSH", async () => {
    await expect(request(1n)).rejects.toMatchObject({ reason: "kernel.unavailable" });
    await expect(installer.control(edgehelm.kernel.systemCall("test"), 1n, "stop"))
      .rejects.toMatchObject({ reason: "kernel.unavailable" });
    expect((await edgehelm.call(admin, rpc.findNodeInstallation, { role: "dns", nodeId: 1n })).nodeInstallation)
      .toBeUndefined();
    await expect(edgehelm.call(admin, rpc.cancelNodeInstallation, { role: "dns", nodeId: 1n }))
      .rejects.toMatchObject({ reason: "node_installation.not_found" });
  });

  test("is shown to admins with the module of its nodes only, and packages are for super admins", async () => {
    const of = { role: "dns", nodeId: 5n };
    await edgehelm.call(as.admin(8n), rpc.findNodeInstallation, of);
    await expect(edgehelm.call(as.admin(7n), rpc.findNodeInstallation, of)).rejects.toMatchObject({ code: 403 });
    await expect(edgehelm.call(as.admin(8n), rpc.createNodePackage, { fileId: 1n, sha256: SHA256 }))
      .rejects.toMatchObject({ code: 403 });
    await expect(edgehelm.call(admin, rpc.findNodeInstallation, { role: "report", nodeId: 1n }))
      .rejects.toMatchObject({ code: 400 });
  });
});

test("an unknown host key is not accepted or deleted", async () => {
  const address = { host: "192.0.2.1", port: 22 };
  await expect(edgehelm.call(admin, rpc.acceptNodeHostKey, { ...address, fingerprint: "SHA256:x" }))
    .rejects.toMatchObject({ reason: "node_installation.host_key_not_found" });
  await expect(edgehelm.call(admin, rpc.deleteNodeHostKey, address)).rejects.toMatchObject({ code: 404 });
  expect((await edgehelm.call(admin, rpc.findAllNodeHostKeys, {})).nodeHostKeys).toEqual([]);
});
