import { type Call, choiceField, type Clock, type Handlers, idField, invalid, kernelErrors, textField } from "edgehelm";
import { portField } from "edgehelm/fields";
import type { NodeProgram } from "./contract.ts";
import type { HostKeys } from "./host_keys.ts";
import { type Installer, statusOf } from "./installer.ts";
import type { Packages } from "./packages.ts";
import type { NodeInstallationService } from "./proto/service_node_installation_pb.ts";
import type { Step } from "./steps.ts";
import type { HostKeyRow, HostKeyStore, InstallationRow, InstallationStore } from "./store.ts";

/** The dependencies of the handlers. */
export interface Deps {
  readonly installer: Installer;
  readonly store: InstallationStore;
  readonly hostKeys: HostKeyStore;
  readonly keys: HostKeys;
  readonly packages: Packages;
  readonly programs: ReadonlyMap<string, NodeProgram>;
  readonly clock: Clock;
}

const MAX_KEYS = 1000;

export function installationHandlers(deps: Deps): Handlers<typeof NodeInstallationService> {
  const { installer, store, hostKeys, keys, packages, programs, clock } = deps;

  /** Checks that the caller may see the nodes of a role: admins of DNS nodes know nothing of edge nodes. */
  function roleField(call: Call, role: string): string {
    choiceField("role", role, ["node", "dns"]);
    const module = programs.get(role)?.module;
    if (call.caller.role !== "admin" || module === undefined) return role;
    const { isSuper, modules } = call.caller.access;
    if (!isSuper && !modules.includes(module)) throw kernelErrors.module_required(`see ${role} nodes`, [module]);
    return role;
  }

  function addressField({ host, port }: { readonly host: string; readonly port: number }) {
    return { host: textField("host", host, { min: 1 }), port: portField("port", port) };
  }

  async function message(call: Call, row: InstallationRow) {
    const key = row.keyHost === ""
      ? undefined
      : await hostKeys.find.first(call, { host: row.keyHost, port: row.keyPort });
    const status = statusOf(row, clock);
    return {
      role: row.role,
      nodeId: row.nodeId,
      kind: row.kind,
      state: status.isRunning ? row.phase : status.isOk ? "done" : row.phase === "cancelled" ? "cancelled" : "failed",
      steps: (JSON.parse(row.steps) as Step[]).map((step) => ({
        code: step.code,
        startedAt: BigInt(step.startedAt),
        endedAt: BigInt(step.endedAt),
        percent: step.percent,
      })),
      version: row.version,
      error: status.error,
      errorCode: status.errorCode,
      ...(key && { hostKey: keyMessage(key) }),
      requestedAt: row.requestedAt,
      updatedAt: row.updatedAt,
    };
  }

  return {
    async findNodeInstallation({ role, nodeId }, call) {
      const row = await store.find.first(call, { role: roleField(call, role), nodeId });
      return row === undefined ? {} : { nodeInstallation: await message(call, row) };
    },

    async cancelNodeInstallation({ role, nodeId }, call) {
      await installer.cancel(call, roleField(call, role), idField("nodeId", nodeId));
      return {};
    },

    async findAllNodeHostKeys(_request, call) {
      return { nodeHostKeys: (await hostKeys.all.all(call, { offset: 0, limit: MAX_KEYS })).map(keyMessage) };
    },

    async acceptNodeHostKey({ fingerprint, ...request }, call) {
      await keys.accept(call, addressField(request), textField("fingerprint", fingerprint, { min: 1, max: 100 }));
      return {};
    },

    async deleteNodeHostKey(request, call) {
      await keys.remove(call, addressField(request));
      return {};
    },

    async createNodePackage({ fileId, sha256 }, call) {
      const sum = sha256.toLowerCase();
      if (!/^[0-9a-f]{64}$/.test(sum)) throw invalid("sha256", `must have 64 hexadecimal digits, got ${sha256.length}`);
      return { nodePackageId: await packages.create(call, idField("fileId", fileId), sum) };
    },

    async findAllNodePackages(_request, call) {
      const rows = await packages.all(call);
      return { nodePackages: rows.map(({ md5: _, ...row }) => row) };
    },

    async deleteNodePackage({ nodePackageId }, call) {
      await packages.remove(call, idField("nodePackageId", nodePackageId));
      return {};
    },
  };
}

function keyMessage({ port, ...row }: HostKeyRow) {
  return { ...row, port: Number(port) };
}
