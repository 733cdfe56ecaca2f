import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pebbleRuns } from "../../servers/pebble.ts";
import {
  admin,
  countOrders,
  createDomain,
  createSite,
  createTask,
  findTask,
  openRig,
  type Rig,
  rpc,
  runUntil,
} from "./rig.ts";

describe.runIf(pebbleRuns())("failures", () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await openRig();
  }, 120_000);
  afterAll(() => rig[Symbol.asyncDispose]());

  test("a rejected order keeps the words of the provider, and is repeated after an hour at the earliest", async () => {
    await createSite(rig, ["rejected.example.net"]);
    const id = await createTask(rig, { authType: "http", domains: ["rejected.example.net"] });
    const failed = await runUntil(rig, id, ({ latestACMETaskLog }) => latestACMETaskLog !== undefined);
    expect(failed).toMatchObject({
      step: "",
      countFailures: 1n,
      latestACMETaskLog: { isOk: false, error: expect.stringContaining("rejected.example.net") },
    });
    const orders = countOrders(rig);
    const wait = Number(failed.nextAt) - rig.clock.now() / 1000;
    expect(wait).toBeGreaterThan(3500);
    for (let minutes = 0; minutes < 50; minutes += 10) {
      rig.clock.advance(600);
      await rig.edgehelm.kernel.runJob("acme_task.orders");
    }
    expect(countOrders(rig)).toBe(orders);
  }, 180_000);

  test("a provider that is down for a day is asked seldom, and issues when it is back", async () => {
    await createDomain(rig, "patient.example.com");
    const names = { authType: "dns", dnsDomain: "patient.example.com", domains: ["patient.example.com"] };
    const id = await createTask(rig, names);
    await rig.pebble.stop();
    const start = rig.clock.now();
    let attempts = 0;
    for (let due = 0n; rig.clock.now() < start + 86_400_000; rig.clock.advance(600)) {
      await rig.edgehelm.kernel.runJob("acme_task.orders");
      const { nextAt } = await findTask(rig, id);
      if (nextAt !== due) attempts++;
      due = nextAt;
    }
    expect(attempts).toBeGreaterThan(5);
    expect(attempts).toBeLessThan(20);
    const down = await findTask(rig, id);
    expect(down).toMatchObject({ latestACMETaskLog: { isOk: false, error: expect.stringContaining("127.0.0.1") } });
    const { acmeTaskLogs } = await rig.edgehelm.call(admin, rpc.listACMETaskLogs, { acmeTaskId: id });
    expect(acmeTaskLogs.length).toBeLessThan(4);

    await rig.pebble.start();
    rig.clock.advance(25_000);
    const task = await runUntil(rig, id, ({ sslCert }) => sslCert !== undefined);
    expect(task.latestACMETaskLog).toMatchObject({ isOk: true });
  }, 300_000);
});
