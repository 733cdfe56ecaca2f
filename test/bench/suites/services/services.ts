import { Installation } from "../../installation/installation.ts";
import { callLatencyMeasurement } from "../../measurement/call_latency.ts";
import { rateMeasurement } from "../../measurement/rate.ts";
import { memoryMeasurement } from "../../measurement/server.ts";
import type { Measurement, Suite } from "../../suite.ts";
import { BILLED_USERS, fillDatabase, MONTHS } from "./data.ts";
import { listCalls } from "./lists.ts";

const ROWS = 1_000_000;
const WRITERS = 16;

/** The latency of calls at a million domains and 100000 users. */
export const services: Suite = {
  async open({ root, seconds, rows = ROWS, progress }) {
    const ours = await Installation.start(root);
    const [first, second] = [await newCluster(ours, "first"), await newCluster(ours, "second")];
    await ours.stop();
    progress.note(`filling the database with ${rows} domains`);
    fillDatabase(ours.databasePath, rows, [first, second]);
    await ours.start();
    const lists = Object.entries(listCalls(ours, rows, second));
    const create = {
      path: "/NSDomainService/createNSDomain",
      headers: ours.headers,
      body: `{"nsClusterId":${first},"name":"<unique>.bench.test"}`,
      expected: '"nsDomainId":',
    };
    return {
      measurements: [
        ...lists.map(([name, call]) => callLatencyMeasurement(name, () => ours.httpPort, () => call, seconds)),
        rateMeasurement("create_domain", () => ours.httpPort, create, { connections: WRITERS, seconds }),
        bills(ours),
        memoryMeasurement("memory_after", () => ours.server),
      ],
      [Symbol.asyncDispose]: () => ours[Symbol.asyncDispose](),
    };
  },
};

async function newCluster(ours: Installation, name: string): Promise<number> {
  const request = { name, hosts: ["ns1.bench.test"] };
  return (await ours.call<{ nsClusterId: number }>("/NSClusterService/createNSCluster", request)).nsClusterId;
}

/** One call that makes the bills of 10000 users; each month can be billed once. */
function bills(ours: Installation): Measurement {
  const months = MONTHS.values();
  return {
    figures: [{ name: "bills_of_10000_users", unit: "s" }],
    async measure() {
      const { value: month, done } = months.next();
      if (done) throw new Error(`there is traffic for ${MONTHS.length} rounds only`);
      const before = await countBills(ours);
      const started = performance.now();
      await ours.call("/UserBillService/generateAllUserBills", { month });
      const seconds = (performance.now() - started) / 1000;
      const made = await countBills(ours) - before;
      if (made < BILLED_USERS) throw new Error(`${made} bills were made for ${BILLED_USERS} users`);
      return [seconds];
    },
  };
}

async function countBills(ours: Installation): Promise<number> {
  return Number((await ours.call<{ count: number }>("/UserBillService/countAllUserBills", { paidFlag: -1 })).count);
}
