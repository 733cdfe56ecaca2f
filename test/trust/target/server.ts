import { appendFileSync } from "node:fs";
import process from "node:process";
import type { TestCaller } from "edgehelm/testing";
import { systemClock } from "../../../core/base/clock.ts";
import { DEFAULT_LIMITS } from "../../../core/base/limits.ts";
import { createLogger } from "../../../core/base/log.ts";
import { listenGrpc } from "../../../core/host/listen/grpc_listener.ts";
import { listenHttp1 } from "../../../core/host/listen/http1_listener.ts";
import { createServices } from "../../../core/host/listen/services.ts";
import type { Settings } from "../../../core/host/settings/settings.ts";
import { testKernel } from "../../harness/kernel.ts";
import { firstParty } from "../../matrix/plugins.ts";
import { hosts, standIns } from "../../matrix/world.ts";
import type { TargetStart } from "./target.ts";

// A server with every plugin on a copy of the filled database, in its own process. Unlike `start` it does not survive
// uncaught errors: they count as deaths. It prints one line with its addresses and tokens, then every error that it
// logs.
const { directory, callers, plugins, bodySeconds }: TargetStart = JSON.parse(process.argv[2]!);
const log = createLogger({ level: "error", write: (line) => console.log(line), clock: systemClock });
const more = await Promise.all(plugins.map(async (path) => (await import(path)).plugin));
const limits = { ...DEFAULT_LIMITS, headerSeconds: 2, bodySeconds };
const edgehelm = await testKernel({
  plugins: [...firstParty, ...more],
  stubs: standIns(),
  hosts,
  clock: systemClock,
  log,
  limits,
  directory,
  listedReasons: true,
});
const { kernel } = edgehelm;
const address = { host: "127.0.0.1", port: 0 };
const http: Settings["http"] = {
  ...address,
  errorStatus: "ok",
  behindProxy: false,
  corsOrigins: [],
  tls: undefined,
  plaintext: false,
};
const services = createServices(kernel, { http } as Settings, () => "serving");
const listeners = [
  await listenHttp1(services.http, http, limits, log),
  await listenGrpc(services.grpc, address, http, limits, log),
];
kernel.startJobs();
const tokens = await Promise.all(
  callers.map(({ role, id }) => edgehelm.token({ role: role as TestCaller["role"], id: BigInt(id) })),
);
console.log(JSON.stringify({ urls: listeners.map(({ url }) => url), tokens }));

process.once("SIGTERM", async () => {
  for (const listener of listeners) await listener.close(1000);
  await edgehelm.stop().catch((error) => appendFileSync(1, `${error.message}\n`));
  process.exit(0);
});
