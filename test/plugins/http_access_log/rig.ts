import type { JsonValue } from "@bufbuild/protobuf";
import { definePlugin, type Plugin } from "edgehelm";
import { stub, type TestClock, type TestKernel, testKernel, type TestKernelOptions } from "edgehelm/testing";
import { kernelErrors } from "../../../core/base/errors.ts";
import {
  type LogStore,
  type LogStoreDriver,
  LogStoreDrivers,
  type OpenLogStore,
} from "../../../plugins/http_access_log/contract.ts";
import plugin from "../../../plugins/http_access_log/plugin.ts";
import { Nodes } from "../../../plugins/node/contract.ts";
import { Servers } from "../../../plugins/server/contract.ts";
import user from "../../../plugins/user/plugin.ts";

export interface LogKernelOptions extends Pick<TestKernelOptions, "metrics" | "log" | "directory" | "hosts"> {
  readonly clock: TestClock;
  readonly config?: Readonly<Record<string, JsonValue>>;
  /** Stores that another plugin contributes. The first one is used unless the configuration names another. */
  readonly drivers?: readonly LogStoreDriver[];
  /** More plugins. */
  readonly plugins?: readonly Plugin[];
}

/** The servers that no node serves. */
export const FOREIGN: ReadonlySet<bigint> = new Set([900n, 901n]);
/** A server that left the cluster of the nodes on 2025-03-10 at 11:00 in UTC. */
export const LEFT: ReadonlyMap<bigint, bigint> = new Map([[902n, 1741604400n]]);

function serverOf(id: bigint) {
  return { id, name: "", userId: id % 3n, nodeClusterId: id % 2n + 1n, userPlanId: 0n };
}

/** A kernel with http_access_log and user. Server n belongs to user n % 3 and cluster n % 2 + 1; only node 5 exists. */
export function logKernel(
  { clock, config = {}, drivers = [], plugins = [], ...more }: LogKernelOptions,
): Promise<TestKernel> {
  const servers: Partial<Servers> = {
    servedByCaller: async (call, ids) =>
      new Map(
        ids.filter((id) => call.caller.role === "admin" || !FOREIGN.has(id)).map((id) => [
          id,
          { ...serverOf(id), servedUntil: LEFT.get(id) },
        ]),
      ),
    summaries: async (_call, ids) => new Map(ids.map((id) => [id, serverOf(id)])),
    lackingFeature: async () => new Set(),
    requireFeature: async () => {},
    requireOwned: async (call, id) => {
      if (call.caller.role === "user" && call.caller.userId !== id % 3n) throw kernelErrors.conflict("not owned");
    },
  };
  const node = { id: 5n, name: "five", isOn: true, nodeClusterId: 9n, nodeRegionId: 0n };
  const nodes: Partial<Nodes> = { summaries: async (_call, ids) => new Map(ids.includes(5n) ? [[5n, node]] : []) };
  const stubs = [stub(Servers, servers), stub(Nodes, nodes)];
  const store = drivers[0] === undefined ? {} : { store: drivers[0].name };
  const settings = { http_access_log: { ...store, ...config } };
  const all = [plugin, user, ...plugins, ...drivers.length === 0 ? [] : [contributing(drivers)]];
  return testKernel({ plugins: all, stubs, clock, config: settings, ...more });
}

/** A plugin that contributes stores. */
function contributing(drivers: readonly LogStoreDriver[]): Plugin {
  return definePlugin({
    manifest: {
      name: "other_stores",
      version: "1.0.0",
      kernel: "^1",
      services: [],
      tables: [],
      contributes: ["http_access_log.store_drivers"],
    },
    setup({ contribute }) {
      for (const driver of drivers) contribute(LogStoreDrivers, driver);
    },
  });
}

/** Returns the driver of a store. */
export function driverOf(store: LogStore, more: Partial<LogStoreDriver & OpenLogStore> = {}): LogStoreDriver {
  const { lacksSpace, ...driver } = more;
  const opened = { store, close: () => Promise.resolve(), ...lacksSpace && { lacksSpace } };
  return { name: "test", isLocal: false, open: () => opened, ...driver };
}

/** A store with the given operations; any other throws. */
export function storeOf(members: Partial<LogStore>): LogStore {
  const missing = (): never => {
    throw new Error("unexpected call");
  };
  const all = { append: missing, find: missing, list: missing, partitions: missing, days: missing, dropDay: missing };
  return { ...all, removeOfUser: missing, ...members };
}
