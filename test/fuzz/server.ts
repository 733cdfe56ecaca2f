import process from "node:process";
import { as } from "edgehelm/testing";
import { systemClock } from "../../core/base/clock.ts";
import { createLogger } from "../../core/base/log.ts";
import { startListener } from "../host/listener_rig.ts";
import { firstParty } from "../matrix/plugins.ts";
import { standIns } from "../matrix/world.ts";

// A server with every plugin and test credentials, which runs in its own process. It prints tokens, its address and
// every error that it logs.
const log = createLogger({ level: "error", write: (line) => console.log(line), clock: systemClock });
const emptyResolver = { txt: () => Promise.resolve([]), ns: () => Promise.resolve([]) };
const server = await startListener({
  plugins: firstParty,
  stubs: standIns(),
  hosts: { ns_domain: emptyResolver },
  clock: systemClock,
  log,
  limits: { headerSeconds: 2, bodySeconds: 3 },
});
const callers = [as.admin(), as.admin(), as.admin(), as.user(1n), as.node(1n)];
const tokens = await Promise.all(callers.map((caller) => server.edgehelm.token(caller)));
console.log(`tokens: ${JSON.stringify(tokens)}`);
console.log(`http: listening on ${server.url}`);
process.once("SIGTERM", async () => {
  await server[Symbol.asyncDispose]();
  process.exit(0);
});
