import process from "node:process";
import { as, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { sql } from "kysely";
import { database } from "../../../../core/storage/database.ts";
import { UserBillService } from "../../../../plugins/user_bill/proto/service_user_bill_pb.ts";
import { firstParty } from "../../../matrix/plugins.ts";
import { TemporaryFolder } from "../../installation/temporary_folder.ts";
import type { Measurement, Suite } from "../../suite.ts";
import { fillDatabase, MONTH } from "./data.ts";

const USERS = 100_000;
const NOW = Date.UTC(2026, 4, 15);
const ADMIN = as.admin();

/** Bills and states of many users, in this process. The event loop is what other calls wait for meanwhile. */
export const money: Suite = {
  async open({ rows: users = USERS, progress }) {
    const stack = new AsyncDisposableStack();
    const folder = stack.use(new TemporaryFolder());
    const open = () =>
      testKernel({
        plugins: firstParty,
        directory: folder.path,
        clock: new TestClock(NOW),
        config: { user_bill: { trafficPricePerGB: 0.02 } },
      });
    await (await open()).stop();
    progress.note(`filling the database with ${users} users and ${users * 30} statistics`);
    fillDatabase(folder.path, users);
    const edgehelm = await open();
    stack.defer(() => edgehelm.stop());
    return {
      measurements: [
        measurement("bills", async () => {
          const { generateAllUserBills, countAllUserBills } = UserBillService.method;
          await edgehelm.call(ADMIN, generateAllUserBills, { month: MONTH });
          const { count } = await edgehelm.call(ADMIN, countAllUserBills, { paidFlag: -1 });
          if (count !== BigInt(users)) throw new Error(`made ${count} bills for ${users} users`);
        }, () => forgetBills(edgehelm)),
        measurement("states", () => edgehelm.kernel.runJob("user.derive_states")),
      ],
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  },
};

/** Measures the time, the time of processors, and the longest time for which nothing else ran. */
function measurement(
  name: string,
  run: () => Promise<unknown>,
  before: () => Promise<void> = async () => {},
): Measurement {
  return {
    figures: [
      { name: `${name}_seconds`, unit: "s" },
      { name: `${name}_cpu_seconds`, unit: "s" },
      { name: `${name}_event_loop_gap_ms`, unit: "ms" },
    ],
    async warmUp() {},
    async measure() {
      await before();
      const gap = new EventLoopGap();
      const [started, used] = [performance.now(), process.cpuUsage()];
      await run();
      const seconds = (performance.now() - started) / 1000;
      const { user, system } = process.cpuUsage(used);
      return [seconds, (user + system) / 1e6, gap.end()];
    },
  };
}

/** The longest time between two turns of the event loop. */
class EventLoopGap {
  #longest = 0;
  #last = performance.now();
  readonly #timer = setInterval(() => this.#turn(), 1);

  #turn(): void {
    const now = performance.now();
    this.#longest = Math.max(this.#longest, now - this.#last);
    this.#last = now;
  }

  end(): number {
    clearInterval(this.#timer);
    this.#turn();
    return this.#longest;
  }
}

async function forgetBills(edgehelm: TestKernel): Promise<void> {
  const db = database<Record<string, never>>({ owner: "bench", tables: undefined });
  await edgehelm.kernel.systemCall("bench").transact(async (inner) => {
    for (const table of ["userBills", "userBillCharges", "userBillCounts"]) {
      await sql`delete from ${sql.table(table)}`.execute(db(inner));
    }
  });
}
