import type { JsonValue } from "@bufbuild/protobuf";
import { stub, type TestClock, type TestKernel, testKernel, type TestKernelOptions } from "edgehelm/testing";
import { kernelErrors } from "../../../core/base/errors.ts";
import { createTextFile, readLines } from "../../../plugins/http_access_log/host/files.ts";
import type { LogHost } from "../../../plugins/http_access_log/log_host.ts";
import type { LogStore } from "../../../plugins/http_access_log/log_store.ts";
import plugin from "../../../plugins/http_access_log/plugin.ts";
import { Nodes } from "../../../plugins/node/contract.ts";
import { Servers } from "../../../plugins/server/contract.ts";
import user from "../../../plugins/user/plugin.ts";

export interface LogKernelOptions extends Pick<TestKernelOptions, "metrics" | "log"> {
  readonly clock: TestClock;
  readonly config?: Readonly<Record<string, JsonValue>>;
  /** The host part; absent by default, as on the edge. */
  readonly host?: LogHost;
}

/** A kernel with http_access_log and user. Server n belongs to user n % 3 and cluster n % 2 + 1; only node 5 exists. */
export function logKernel({ clock, config = {}, host, ...more }: LogKernelOptions): Promise<TestKernel> {
  const servers: Partial<Servers> = {
    summaries: async (_call, ids) =>
      new Map(ids.map((id) => [id, { id, name: "", userId: id % 3n, nodeClusterId: id % 2n + 1n, userPlanId: 0n }])),
    requireOwned: async (call, id) => {
      if (call.caller.role === "user" && call.caller.userId !== id % 3n) throw kernelErrors.conflict("not owned");
    },
  };
  const node = { id: 5n, name: "five", isOn: true, nodeClusterId: 9n, nodeRegionId: 0n };
  const nodes: Partial<Nodes> = { summaries: async (_call, ids) => new Map(ids.includes(5n) ? [[5n, node]] : []) };
  const stubs = [stub(Servers, servers), stub(Nodes, nodes)];
  const hosts = host === undefined ? {} : { http_access_log: host };
  // set explicitly, since segments are not available on a shared database
  const store = host?.stores.clickhouse === undefined ? {} : { store: "clickhouse" };
  const settings = { http_access_log: { ...store, ...config } };
  return testKernel({ plugins: [plugin, user], stubs, clock, config: settings, hosts, ...more });
}

/** A host part with files, a disk of a tebibyte, and optionally a store in place of ClickHouse. */
export function logHost(store?: LogStore, more: Partial<LogHost> = {}): LogHost {
  return {
    stores: store === undefined ? {} : { clickhouse: () => ({ store, close: () => Promise.resolve() }) },
    space: () => Promise.resolve({ freeBytes: 2n ** 40n, totalBytes: 2n ** 40n }),
    lines: (_call, path) => readLines(path),
    create: (_call, path) => createTextFile(path),
    ...more,
  };
}

/** A store with the given operations; any other throws. */
export function storeOf(members: Partial<LogStore>): LogStore {
  const missing = (): never => {
    throw new Error("unexpected call");
  };
  const all = { append: missing, find: missing, list: missing, partitions: missing, days: missing, dropDay: missing };
  return { ...all, removeOfUser: missing, ...members };
}
