import process from "node:process";
import { Instances } from "../harness/instances.ts";
import { Chaos } from "./instances_chaos.ts";
import { CommandLoad, RevocationLoad, type Running, WriteLoad } from "./instances_load.ts";
import { roundFigures } from "./instances_rounds.ts";

// Mixed writes through several processes on one libSQL server, while these are killed, stopped, suspended and
// partitioned: `deno run -A test/stress/instances.ts [seconds] [instances] [seconds between disturbances]`. Exits with 1 if an
// invariant was violated.

const PLUGINS = [
  "admin",
  "api_access_token",
  "node_base",
  "ns_cluster",
  "ns_domain_group",
  "ns_node",
  "user",
  "user_access_key",
];
const WRITERS = 8;

const [seconds = 60, count = 4, interval = 4] = process.argv.slice(2).map(Number);
await using instances = await Instances.start(count, PLUGINS);
const running: Running = { isOver: false };
const admin = await instances.servers[0]!.adminToken();
const chaos = new Chaos(instances, running, interval * 1000);
const writes = new WriteLoad(instances, admin, running);
const revocations = new RevocationLoad(instances, admin, running, chaos);
const commands = new CommandLoad(instances, admin, running, chaos);
const startedAt = Date.now();
const loads = [
  ...Array.from({ length: WRITERS }, (_, writer) => writes.run(writer)),
  revocations.run(),
  commands.run(),
  chaos.run(),
];
setTimeout(() => running.isOver = true, seconds * 1000);
await Promise.all(loads);
await chaos.settled();

const figures = {
  seconds: Math.round((Date.now() - startedAt) / 1000),
  instances: count,
  chaos: chaos.counts,
  writes: await writes.figures(),
  rounds: roundFigures(await instances.rounds(instances.servers[0]!)),
  revocations: revocations.figures(),
  commands: commands.figures(),
};
console.log(JSON.stringify(figures, null, 2));
const violations = [
  figures.writes.lost,
  figures.writes.duplicates,
  figures.rounds.overlapping,
  figures.rounds.tooEarly,
  figures.commands.duplicates,
  figures.revocations.late,
];
process.exitCode = violations.every((number) => number === 0) ? 0 : 1;
