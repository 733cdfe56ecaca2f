import type { Metrics } from "../../../core/base/metrics.ts";
import type { JsonValue } from "@bufbuild/protobuf";
import { invalid, type Plugin } from "edgehelm";
import { type Stub, stub, type TestClock, type TestKernel, testKernel, type TestKernelOptions } from "edgehelm/testing";
import type { Logger } from "../../../core/base/log.ts";
import type { StorageEngine } from "../../../core/storage/engine.ts";
import { NSClusters } from "../../../plugins/ns_cluster/contract.ts";
import plugin from "../../../plugins/ns_domain/plugin.ts";
import type { DomainResolver } from "../../../plugins/ns_domain/resolver.ts";
import groups from "../../../plugins/ns_domain_group/plugin.ts";
import { Users, UserStates } from "../../../plugins/user/contract.ts";

export interface RigOptions {
  readonly resolver?: DomainResolver;
  readonly clock?: TestClock;
  /** The config of the plugin in the installation manifest. */
  readonly config?: JsonValue;
  /** The config of other plugins, by name. */
  readonly pluginConfig?: Readonly<Record<string, JsonValue>>;
  /** The version of the plugin; the current one by default. */
  readonly version?: Plugin;
  readonly engine?: StorageEngine;
  readonly log?: Logger;
  /** Additional plugins. */
  readonly plugins?: readonly Plugin[];
  readonly stubs?: readonly Stub[];
  /** The users whose domains are not served. */
  readonly unserved?: ReadonlySet<bigint>;
  /** The modules of admins. */
  readonly admins?: Readonly<Record<string, readonly string[]>>;
  readonly metrics?: Metrics;
  readonly outbound?: NonNullable<TestKernelOptions["outbound"]>;
}

/** Starts a kernel with ns_domain and ns_domain_group, in which the clusters 1 to 3 and the users 1 to 99 exist. */
export function domainKernel(
  {
    resolver,
    clock,
    config = {},
    pluginConfig = {},
    version = plugin,
    engine,
    log,
    plugins = [],
    stubs = [],
    unserved = new Set(),
    admins,
    metrics,
    outbound,
  }: RigOptions = {},
): Promise<TestKernel> {
  const cluster = (id: bigint) => ({ id, name: `cluster ${id}`, isOn: true, hosts: [`ns${id}.edge.test`] });
  const clusters: Partial<NSClusters> = {
    summaries: async (_call, ids) => new Map(ids.filter((id) => id <= 3n).map((id) => [id, cluster(id)])),
    nested: async (_call, ids) => new Map(ids.filter((id) => id <= 3n).map((id) => [id, cluster(id)])),
    requireCluster: async (_call, field, id) => {
      if (id < 1n || id > 3n) throw invalid(field, `cluster ${id} does not exist`);
      return cluster(id);
    },
    defaultCluster: async () => cluster(1n),
  };
  const users: Partial<Users> = {
    summaries: async (_call, ids) =>
      new Map(ids.filter((id) => id < 100n).map((id) => [id, { id, username: `user${id}`, fullname: "" }])),
    nested: async (_call, ids) =>
      new Map(ids.filter((id) => id < 100n).map((id) => [id, { id, username: `user${id}` }])),
    requireUser: async (_call, field, id) => {
      if (id > 99n) throw invalid(field, `user ${id} does not exist`);
    },
  };
  const states: Partial<UserStates> = {
    allowed: async (_call, ids) => new Set(ids.filter((id) => id < 100n && !unserved.has(id))),
  };
  return testKernel({
    plugins: [version, groups, ...plugins],
    config: { ns_domain: config, ...pluginConfig },
    stubs: [stub(NSClusters, clusters), stub(Users, users), stub(UserStates, states), ...stubs],
    ...(resolver && { hosts: { ns_domain: resolver } }),
    ...(clock && { clock }),
    ...(engine && { engine }),
    ...(log && { log }),
    ...(admins && { admins }),
    ...(metrics && { metrics }),
    ...(outbound && { outbound }),
  });
}
