import {
  type Call,
  idField,
  invalid,
  kernelErrors,
  latestPackage,
  textField,
  unixSeconds,
  versionCode,
} from "edgehelm";
import { errors } from "../errors.ts";
import { installStatus, targetOf, withoutSSH } from "../installations.ts";
import { InstallFailure, type Machine } from "../machine.ts";
import type { Deps, Operations } from "./deps.ts";

type Named =
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

/** The program of nodes: which versions there are, and putting it on machines. */
export function programHandlers(deps: Deps): Pick<Operations, Named> {
  const { nodes, lists, machine, installations, clock } = deps;

  function requireMachine(): Machine {
    if (machine === undefined) throw kernelErrors.unavailable("deploy packages are files, which are not here");
    return machine;
  }

  /** The newest package of each kind of machine. */
  async function newest(call: Call) {
    const packages = await requireMachine().packages(call);
    const kinds = Map.groupBy(packages, ({ os, arch }) => `${os} ${arch}`);
    return [...kinds.values()].map((some) => latestPackage(some)!);
  }

  async function newestFor(call: Call, request: { os: string; arch: string }) {
    const os = textField("os", request.os, { min: 1 });
    const arch = textField("arch", request.arch, { min: 1 });
    return (await newest(call)).find((one) => one.os === os && one.arch === arch);
  }

  /** Starts or stops a program; what keeps it from that is a normal answer. */
  async function control(call: Call, nsNodeId: bigint, verb: "start" | "stop") {
    const { id } = await nodes.require(call, "nsNodeId", nsNodeId);
    const target = targetOf(await nodes.loginOf.first(call, { nsNodeId: id }));
    if (target instanceof InstallFailure) return { isOk: false, error: target.message };
    const act = machine?.[verb];
    if (act === undefined) throw withoutSSH(`${verb === "start" ? "starting" : "stopping"} a node`);
    try {
      await act(call, target);
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
      for (const { os, arch, version } of await newest(call)) {
        const older = { nsClusterId, os, arch, versionCode: versionCode(version) };
        count += (await lists.countOld.one(call, older)).count;
      }
      return { count };
    },

    async checkNSNodeLatestVersion(request, call) {
      const found = await newestFor(call, request);
      const isNewer = found !== undefined && versionCode(found.version) > versionCode(request.currentVersion);
      return isNewer ? { hasNewVersion: true, newVersion: found.version } : {};
    },

    async findLatestNSNodeVersion(_request, call) {
      return { version: latestPackage(await newest(call))?.version ?? "" };
    },

    async downloadNSNodeInstallationFile(request, call) {
      const { chunkOffset } = request;
      if (chunkOffset < 0n) throw invalid("chunkOffset", `must not be negative, got ${chunkOffset}`);
      const found = await newestFor(call, request);
      if (found === undefined) throw errors.no_package(request.os, request.arch);
      const { filename, version } = found;
      const { data, sum } = await requireMachine().chunk(call, filename, chunkOffset, CHUNK_BYTES);
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
