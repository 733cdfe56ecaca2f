import { as, TestClock } from "edgehelm/testing";
import { expect, onTestFinished, test } from "vitest";
import { PrometheusMetrics } from "../../../core/host/observe/metrics.ts";
import { emittedBy } from "../../core/events/emitted.ts";
import { countRows } from "../../harness/table_rows.ts";
import { admin, NOON, owners, service, statKernel } from "./rig.ts";

const SITE = 1n;
const HOUR = 3600n;
/** The beginning of the five minutes of noon. */
const SLOT = NOON - NOON % 300n;

/** An installation in which nodes upload attacks on a site, at the time that the clock then has. */
async function attackKernel(config: Record<string, number> = {}) {
  const clock = new TestClock(Number(NOON) * 1000);
  const edgehelm = await statKernel(config, new PrometheusMetrics(), clock);
  onTestFinished(() => edgehelm.stop());
  return {
    edgehelm,
    clock,
    async attack(countAttackRequests: bigint, createdAt: bigint, by = as.node(1n), serverId = SITE) {
      const now = BigInt(Math.floor(clock.now() / 1000));
      if (createdAt > now) clock.advance(Number(createdAt - now));
      const stats = [{ serverId, bytes: 1n, createdAt, countAttackRequests }];
      await edgehelm.call(by, service.uploadServerDailyStats, { stats });
    },
    events: async () =>
      (await emittedBy(edgehelm, "server_daily_stat")).map(({ userId, data }) => ({ userId, ...data })),
  };
}

test("attacks that nodes counted in five minutes are an event for the owner, once until an hour after the last", async () => {
  const { edgehelm, attack, events } = await attackKernel();
  await attack(600n, NOON);
  await attack(0n, NOON);
  await attack(999n, NOON + 300n);
  expect(await events()).toEqual([]);
  await attack(400n, NOON + 60n, as.node(2n));
  const attacked = { userId: owners.get(SITE), serverId: "1", name: "site 1", countAttackRequests: "1000" };
  expect(await events()).toEqual([{ ...attacked, beganAt: String(SLOT) }]);
  await attack(5000n, NOON + 120n);
  await attack(5000n, NOON + HOUR);
  expect(await events()).toHaveLength(1);
  await edgehelm.kernel.runJob("server_daily_stat.forget_attacks");
  await attack(1000n, NOON + 2n * HOUR);
  expect(await events()).toHaveLength(1);
  await attack(1500n, NOON + 3n * HOUR + 300n);
  expect((await events()).slice(1)).toEqual([
    { ...attacked, countAttackRequests: "1500", beganAt: String(SLOT + 3n * HOUR + 300n) },
  ]);
  await attack(1000n, NOON + 3n * HOUR + 400n, as.node(1n), 3n);
  expect((await events()).slice(2)).toMatchObject([{ userId: owners.get(3n), serverId: "3", name: "site 3" }]);
});

test("attacks of earlier hours, which a node uploads late, are no event", async () => {
  const { edgehelm, attack, events } = await attackKernel();
  await attack(5000n, NOON - 2n * HOUR);
  await attack(5000n, NOON - 2n * HOUR, admin);
  expect(await events()).toEqual([]);
  const request = { serverId: SITE, day: "20250310" };
  const { serverDailyStat } = await edgehelm.call(admin, service.sumServerDailyStats, request);
  expect(serverDailyStat?.countAttackRequests).toBe(10_000n);
});

test.each([[0, 0], [10, 1]])("the setting says how many attacks are an event: %i", async (attackRequests, expected) => {
  const { attack, events } = await attackKernel({ attackRequests });
  await attack(10n, NOON);
  await attack(100_000n, NOON);
  expect(await events()).toHaveLength(expected);
});

test("an attack that has ended is forgotten", async () => {
  const { edgehelm, clock, attack } = await attackKernel();
  await attack(1000n, NOON);
  const remembered = async () => {
    await edgehelm.kernel.runJob("server_daily_stat.forget_attacks");
    return await countRows(edgehelm, "server_daily_stat", "serverAttacks");
  };
  clock.advance(Number(HOUR));
  expect(await remembered()).toBe(1);
  clock.advance(Number(HOUR) + 1);
  expect(await remembered()).toBe(0);
});
