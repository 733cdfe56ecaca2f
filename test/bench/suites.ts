import type { Suite } from "./suite.ts";

/** Loads a suite when it is asked for, so that each needs only what it imports itself. */
export const SUITES: Readonly<Record<string, () => Promise<Suite>>> = {
  clickhouse: async () => (await import("./suites/clickhouse/clickhouse.ts")).clickhouse,
  edge: async () => (await import("./suites/edge/edge.ts")).edge,
  growing: async () => (await import("./suites/growing/growing.ts")).growing,
  http: async () => (await import("./suites/http/http.ts")).http,
  logs: async () => (await import("./suites/logs/logs.ts")).logs,
  node_logs: async () => (await import("./suites/node_logs/node_logs.ts")).nodeLogs,
  peers: async () => (await import("./suites/peers/peers.ts")).peers,
  remote: async () => (await import("./suites/remote/remote.ts")).remote,
  services: async () => (await import("./suites/services/services.ts")).services,
  storage: async () => (await import("./suites/storage/storage.ts")).storage,
  transport: async () => (await import("./suites/transport/transport.ts")).transport,
};
