import { type Call, definePlugin, numberField, optional, type Plugin } from "edgehelm";
import { absolutePathField } from "edgehelm/fields";
import { hostPart } from "edgehelm/runtime";
import { APINodes } from "../api_node/contract.ts";
import { Files } from "../file/contract.ts";
import { NodeGrantLoginTests, NodeGrants } from "../node_grant/contract.ts";
import { endpointField, endpointsOf } from "./configuration.ts";
import { NodeInstallations, type NodeProgram } from "./contract.ts";
import { errors } from "./errors.ts";
import { installationHandlers } from "./handlers.ts";
import { HostKeys } from "./host_keys.ts";
import { Installer } from "./installer.ts";
import { loginTest } from "./login_test.ts";
import type { InstallationHost } from "./machine.ts";
import * as createNodeInstallations from "./migrations/0001_create_node_installations.ts";
import { Packages } from "./packages.ts";
import manifest from "./plugin.json" with { type: "json" };
import { NodeInstallationConfigSchema } from "./proto/config_pb.ts";
import { NodeInstallationService } from "./proto/service_node_installation_pb.ts";
import { InstallRunner } from "./runner.ts";
import { hostKeyStore, installationStore, packageStore, type Tables } from "./store.ts";

const DEFAULT_DIRECTORY = "/opt/edgehelm";
const DEFAULT_MINUTES = 15;

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_node_installations": createNodeInstallations },
  config: NodeInstallationConfigSchema,
  host: hostPart<InstallationHost>(),
  requires: { files: Files, grants: NodeGrants, apiNodes: optional(APINodes) },
  setup({ db, config, clock, host, deps: { files, grants, apiNodes }, serve, provide, contribute, ...setup }) {
    const tables = db<Tables>();
    const [store, hostKeys] = [installationStore(tables), hostKeyStore(tables)];
    const programs = new Map<string, NodeProgram>();
    const keys = new HostKeys(hostKeys, clock);
    const packages = new Packages(packageStore(tables), files, clock);
    const ownEndpoints = config.apiEndpoints.map((text, index) => endpointField(`apiEndpoints[${index}]`, text));
    const runnerDeps = {
      ...{ store, packages, keys, grants, host, programs, clock },
      ...{ timers: setup.timers, log: setup.log, systemCall: setup.systemCall },
      directory: absolutePathField("installDirectory", config.installDirectory) || DEFAULT_DIRECTORY,
      maxMilliseconds: (numberField("maxMinutes", config.maxMinutes, { max: 60 }) || DEFAULT_MINUTES) * 60_000,
      async endpoints(call: Call, json: Uint8Array | null) {
        const ofNode = endpointsOf("apiNodeAddrsJSON", json);
        if (ofNode.length > 0) return ofNode;
        return ownEndpoints.length > 0 ? ownEndpoints : await apiNodes?.endpoints(call) ?? [];
      },
    };
    const runner = new InstallRunner(runnerDeps);
    const installer = new Installer(runnerDeps, programs, runner);
    provide(NodeInstallations, installer);
    if (host !== undefined) contribute(NodeGrantLoginTests, loginTest(host, keys));
    serve(
      NodeInstallationService,
      installationHandlers({ installer, store, hostKeys, keys, packages, programs, clock }),
    );
    setup.every({ name: "sweep", everySeconds: 5, run: (call) => installer.sweep(call) });
    setup.onStop(() => runner.stop());
  },
});
export default plugin;
