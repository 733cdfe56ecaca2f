import type { Suite } from "./suite.ts";

/** Loads a suite when it is asked for, so that each needs only what it imports itself. */
export const SUITES: Readonly<Record<string, () => Promise<Suite>>> = {
  http: async () => (await import("./suites/http/http.ts")).http,
  logs: async () => (await import("./suites/logs/logs.ts")).logs,
  transport: async () => (await import("./suites/transport/transport.ts")).transport,
};
