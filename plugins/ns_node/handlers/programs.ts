import { type Call, idField, invalid, textField } from "edgehelm";
import { latestPackage, versionCode } from "../../node_base/contract.ts";
import { requireInstaller, statusWithout } from "../../node_installation/contract.ts";
import { errors } from "../errors.ts";
import type { Deps, Operations } from "./deps.ts";

type ProgramOperations =
  | "countAllUpgradeNSNodesWithNSClusterId"
  | "installNSNode"
  | "findNSNodeInstallStatus"
  | "updateNSNodeIsInstalled"
  | "checkNSNodeLatestVersion"
  | "findLatestNSNodeVersion"
  | "downloadNSNodeInstallationFile"
  | "startNSNode"
  | "stopNSNode";

const CHUNK_BYTES = 512 * 1024;

/** Implements the operations on the node program: its versions, its installation, and starting and stopping it. */
export function programHandlers(deps: Deps): Pick<Operations, ProgramOperations> {
  const { nodes, lists, installer } = deps;

  /** Returns the latest package of each operating system and architecture. */
  async function latestPackages(call: Call) {
    return await installer?.latest(call) ?? [];
  }

  async function latestFor(call: Call, request: { os: string; arch: string }) {
    const os = textField("os", request.os, { min: 1 });
    const arch = textField("arch", request.arch, { min: 1 });
    return (await latestPackages(call)).find((candidate) => candidate.os === os && candidate.arch === arch);
  }

  /** Starts or stops a program. An error is a normal response with `isOk` false. */
  async function control(call: Call, nsNodeId: bigint, verb: "start" | "stop") {
    const { id } = await nodes.require(call, "nsNodeId", nsNodeId);
    const error = await requireInstaller(installer).control(call, id, verb);
    if (error !== undefined) {
      // writes the audit record of the attempt
      await call.transact(() => Promise.resolve());
      return { isOk: false, error };
    }
    await call.transact((inner) => nodes.setActive.run(inner, { id, isActive: verb === "start" }));
    return { isOk: true };
  }

  return {
    async countAllUpgradeNSNodesWithNSClusterId(request, call) {
      const nsClusterId = idField("nsClusterId", request.nsClusterId);
      let count = 0n;
      for (const { os, arch, version } of await latestPackages(call)) {
        const query = { nsClusterId, os, arch, versionCode: versionCode(version) };
        count += (await lists.countOutdated.one(call, query)).count;
      }
      return { count };
    },

    async checkNSNodeLatestVersion(request, call) {
      const latest = await latestFor(call, request);
      const isNewer = latest !== undefined && versionCode(latest.version) > versionCode(request.currentVersion);
      return isNewer ? { hasNewVersion: true, newVersion: latest.version } : {};
    },

    async findLatestNSNodeVersion(_request, call) {
      return { version: latestPackage(await latestPackages(call))?.version ?? "" };
    },

    async downloadNSNodeInstallationFile(request, call) {
      const { chunkOffset } = request;
      if (chunkOffset < 0n) throw invalid("chunkOffset", `must not be negative, got ${chunkOffset}`);
      const latest = await latestFor(call, request);
      if (latest === undefined) throw errors.no_package(request.os, request.arch);
      const { filename, version, md5: sum } = latest;
      const data = await requireInstaller(installer).read(call, filename, chunkOffset, CHUNK_BYTES);
      return { chunkData: data, sum, offset: chunkOffset + BigInt(data.length), version, filename };
    },

    async installNSNode({ nsNodeId }, call) {
      const { id } = await nodes.require(call, "nsNodeId", idField("nsNodeId", nsNodeId));
      await requireInstaller(installer).request(call, id, "install");
      return {};
    },

    async findNSNodeInstallStatus({ nsNodeId }, call) {
      const { id, isInstalled } = await nodes.require(call, "nsNodeId", nsNodeId);
      const statuses = await installer?.statuses(call, [id]);
      return { installStatus: statuses?.get(id) ?? statusWithout(isInstalled === 1n) };
    },

    async updateNSNodeIsInstalled({ nsNodeId, isInstalled }, call) {
      const { id } = await nodes.require(call, "nsNodeId", nsNodeId);
      await nodes.setInstalled.run(call, { id, isInstalled });
      await installer?.forget(call, id);
      return {};
    },

    startNSNode: ({ nsNodeId }, call) => control(call, nsNodeId, "start"),
    stopNSNode: ({ nsNodeId }, call) => control(call, nsNodeId, "stop"),
  };
}
