import { type Call, type Handlers, idField, invalid, textField } from "edgehelm";
import { versionCode } from "../../node_base/contract.ts";
import { requireInstaller, statusWithout } from "../../node_installation/contract.ts";
import { errors } from "../errors.ts";
import { nodeMessages } from "../messages.ts";
import type { NodeService } from "../proto/service_node_pb.ts";
import type { Deps } from "./deps.ts";

type ProgramOperations =
  | "updateNodeIsInstalled"
  | "findNodeInstallStatus"
  | "installNode"
  | "upgradeNode"
  | "startNode"
  | "stopNode"
  | "countAllUpgradeNodesWithNodeClusterId"
  | "findAllUpgradeNodesWithNodeClusterId"
  | "checkNodeLatestVersion"
  | "downloadNodeInstallationFile";

const CHUNK_BYTES = 512 * 1024;
const MAX_UPGRADES = 1000;

/** Implements the operations on the node program: its versions, its installation, and starting and stopping it. */
export function programHandlers(deps: Deps): Pick<Handlers<typeof NodeService>, ProgramOperations> {
  const { nodes, changes, installer } = deps;

  async function latestFor(call: Call, request: { readonly os: string; readonly arch: string }) {
    const os = textField("os", request.os, { min: 1 });
    const arch = textField("arch", request.arch, { min: 1 });
    return (await installer?.latest(call) ?? []).find((one) => one.os === os && one.arch === arch);
  }

  /** Returns what selects the outdated nodes of a cluster, for each kind of machine that has a package. */
  async function outdatedIn(call: Call, nodeClusterId: bigint) {
    const clusterId = idField("nodeClusterId", nodeClusterId);
    const packages = await installer?.latest(call) ?? [];
    return packages.map(({ os, arch, version }) => ({
      ...{ clusterId, os, arch, version, versionCode: versionCode(version) },
    }));
  }

  async function request(call: Call, nodeId: bigint, kind: "install" | "upgrade") {
    const { id } = await nodes.require(call, "nodeId", nodeId);
    await requireInstaller(installer).request(call, id, kind);
    return {};
  }

  /** Starts or stops a program. An error is a normal response with `isOk` false. */
  async function control(call: Call, nodeId: bigint, verb: "start" | "stop") {
    const { id } = await nodes.require(call, "nodeId", nodeId);
    const error = await requireInstaller(installer).control(call, id, verb);
    await call.transact(async (inner) => {
      if (error === undefined && verb === "stop") await changes.setActive.run(inner, { id, isActive: false });
    });
    return { isOk: error === undefined, error: error ?? "" };
  }

  return {
    async updateNodeIsInstalled({ nodeId, isInstalled }, call) {
      const { id } = await nodes.require(call, "nodeId", nodeId);
      await changes.setInstalled.run(call, { id, isInstalled });
      await installer?.forget(call, id);
      return {};
    },

    async findNodeInstallStatus({ nodeId }, call) {
      const { id, isInstalled } = await nodes.require(call, "nodeId", nodeId);
      const statuses = await installer?.statuses(call, [id]);
      return { installStatus: statuses?.get(id) ?? statusWithout(isInstalled === 1n) };
    },

    installNode: ({ nodeId }, call) => request(call, nodeId, "install"),
    upgradeNode: ({ nodeId }, call) => request(call, nodeId, "upgrade"),
    startNode: ({ nodeId }, call) => control(call, nodeId, "start"),
    stopNode: ({ nodeId }, call) => control(call, nodeId, "stop"),

    async countAllUpgradeNodesWithNodeClusterId({ nodeClusterId }, call) {
      let count = 0n;
      for (const of of await outdatedIn(call, nodeClusterId)) count += (await nodes.countOutdated.one(call, of)).count;
      return { count };
    },

    async findAllUpgradeNodesWithNodeClusterId({ nodeClusterId }, call) {
      const found = [];
      for (const { version: newVersion, ...of } of await outdatedIn(call, nodeClusterId)) {
        const rows = await nodes.outdated.all(call, { ...of, limit: MAX_UPGRADES - found.length });
        const messages = await nodeMessages(call, deps, rows);
        found.push(...rows.map(({ os, arch, buildVersion: oldVersion }, index) => ({
          ...{ node: messages[index]!, os, arch, oldVersion, newVersion },
        })));
      }
      return { nodes: found };
    },

    async checkNodeLatestVersion(request, call) {
      const latest = await latestFor(call, request);
      const isNewer = latest !== undefined && versionCode(latest.version) > versionCode(request.currentVersion);
      return isNewer ? { hasNewVersion: true, newVersion: latest.version } : {};
    },

    async downloadNodeInstallationFile(request, call) {
      const { chunkOffset } = request;
      if (chunkOffset < 0n) throw invalid("chunkOffset", `must not be negative, got ${chunkOffset}`);
      const latest = await latestFor(call, request);
      if (latest === undefined) throw errors.no_package(request.os, request.arch);
      const { filename, version, md5: sum } = latest;
      const data = await requireInstaller(installer).read(call, filename, chunkOffset, CHUNK_BYTES);
      return { chunkData: data, sum, offset: chunkOffset + BigInt(data.length), version, filename };
    },
  };
}
