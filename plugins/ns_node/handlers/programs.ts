import { type Call, idField, invalid, kernelErrors, textField, unixSeconds } from "edgehelm";
import { latestPackage, versionCode } from "../../node_base/contract.ts";
import { errors } from "../errors.ts";
import { installStatus, sshUnavailable, targetOf } from "../installations.ts";
import { type HostServices, InstallError } from "../host_services.ts";
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
  const { nodes, lists, hostServices, installations, clock } = deps;

  function requireHostServices(): HostServices {
    if (hostServices === undefined) {
      throw kernelErrors.unavailable("deploy packages require a file system, which this host does not have");
    }
    return hostServices;
  }

  /** Returns the latest package of each operating system and architecture. */
  async function latestPackages(call: Call) {
    const packages = await requireHostServices().packages(call);
    const byPlatform = Map.groupBy(packages, ({ os, arch }) => `${os} ${arch}`);
    return [...byPlatform.values()].map((candidates) => latestPackage(candidates)!);
  }

  async function latestFor(call: Call, request: { os: string; arch: string }) {
    const os = textField("os", request.os, { min: 1 });
    const arch = textField("arch", request.arch, { min: 1 });
    return (await latestPackages(call)).find((candidate) => candidate.os === os && candidate.arch === arch);
  }

  /** Starts or stops a program. An error is a normal response with `isOk` false. */
  async function control(call: Call, nsNodeId: bigint, verb: "start" | "stop") {
    const { id } = await nodes.require(call, "nsNodeId", nsNodeId);
    const target = targetOf(await nodes.loginOf.first(call, { nsNodeId: id }));
    if (target instanceof InstallError) return { isOk: false, error: target.message };
    const run = hostServices?.[verb];
    if (run === undefined) throw sshUnavailable(`${verb === "start" ? "starting" : "stopping"} a node`);
    try {
      await run(call, target);
    } catch (error) {
      return { isOk: false, error: (error as Error).message };
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
      const { filename, version } = latest;
      const { data, sum } = await requireHostServices().chunk(call, filename, chunkOffset, CHUNK_BYTES);
      return { chunkData: data, sum, offset: chunkOffset + BigInt(data.length), version, filename };
    },

    async installNSNode({ nsNodeId }, call) {
      await installations.request(call, idField("nsNodeId", nsNodeId));
      return {};
    },

    async findNSNodeInstallStatus({ nsNodeId }, call) {
      return { installStatus: installStatus(await nodes.require(call, "nsNodeId", nsNodeId), unixSeconds(clock)) };
    },

    async updateNSNodeIsInstalled({ nsNodeId, isInstalled }, call) {
      const { id } = await nodes.require(call, "nsNodeId", nsNodeId);
      await nodes.setInstalled.run(call, { id, isInstalled });
      return {};
    },

    startNSNode: ({ nsNodeId }, call) => control(call, nsNodeId, "start"),
    stopNSNode: ({ nsNodeId }, call) => control(call, nsNodeId, "stop"),
  };
}
