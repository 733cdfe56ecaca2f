import type { Suite } from "./suite.ts";

/** A suite as it is listed; it is loaded when it is run, so that each needs only what it imports itself. */
interface ListedSuite {
  readonly summary: string;
  load(): Promise<Suite>;
}

export const SUITES: Readonly<Record<string, ListedSuite>> = {
  clickhouse: {
    summary: "access logs on a ClickHouse server: taking in and pages",
    load: async () => (await import("./suites/clickhouse/clickhouse.ts")).clickhouse,
  },
  console: {
    summary: "the console in Chromium: bytes of the first load, paints, and keys in a list of 10000 rows",
    load: async () => (await import("./suites/console/console.ts")).consoleSuite,
  },
  derived: {
    summary:
      "what descriptors become: time and size of the OpenAPI document, size of the client, start of commands, apply",
    load: async () => (await import("./suites/derived/derived.ts")).derived,
  },
  edge: {
    summary: "cold start and calls of the edge bundle inside workerd, on a libSQL server",
    load: async () => (await import("./suites/edge/edge.ts")).edge,
  },
  growing: {
    summary: "reads and writes of one process on a file, and of one and four instances on a libSQL server",
    load: async () => (await import("./suites/growing/growing.ts")).growing,
  },
  http: {
    summary: "JSON over HTTP/1.1: an empty call, find, list and create; beside Hono on Deno.serve (--compare)",
    load: async () => (await import("./suites/http/http.ts")).http,
  },
  lists: {
    summary: "pages, counts and searches of a declared list with a million rows, in process",
    load: async () => (await import("./suites/lists/lists.ts")).lists,
  },
  logs: {
    summary:
      "access logs: taking in and listing through the API, and in the store beside a table and DuckDB (--compare)",
    load: async () => (await import("./suites/logs/logs.ts")).logs,
  },
  money: {
    summary: "bills and states of 100000 users with 30 days of statistics, in process; gaps of the event loop",
    load: async () => (await import("./suites/money/money.ts")).money,
  },
  node_logs: {
    summary: "lists, searches and changes of node logs and audit logs, a million of each",
    load: async () => (await import("./suites/node_logs/node_logs.ts")).nodeLogs,
  },
  peers: {
    summary: "creating and finding a domain beside a zone of PowerDNS and a key of etcd, over HTTP with durable writes",
    load: async () => (await import("./suites/peers/peers.ts")).peers,
  },
  remote: {
    summary: "find, list and create on a libSQL server in process, beside @libsql/client; round trips and replicas",
    load: async () => (await import("./suites/remote/remote.ts")).remote,
  },
  services: {
    summary: "lists, counts and searches of domains and bills, of a database with a million domains",
    load: async () => (await import("./suites/services/services.ts")).services,
  },
  storage: {
    summary: "creates by 64 callers and by one: group commit beside a commit for each",
    load: async () => (await import("./suites/storage/storage.ts")).storage,
  },
  streams: {
    summary:
      "DNS nodes: 5000 streams and commands to them, changes and a million records until Knot serves them, statistics",
    load: async () => (await import("./suites/streams/streams.ts")).streams,
  },
  transport: {
    summary: "gRPC over HTTP/2: unary calls and streams; beside grpc-js and connect-node (--compare)",
    load: async () => (await import("./suites/transport/transport.ts")).transport,
  },
  trust: {
    summary: "what the record of each change costs: create and find, beside the commit before there were records",
    load: async () => (await import("./suites/trust/trust.ts")).trust,
  },
};
