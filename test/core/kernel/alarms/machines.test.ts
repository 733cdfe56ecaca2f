import { type Contract, defineContract } from "edgehelm";
import { TestClock } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { alarmSource } from "../../../../core/events/alarm.ts";
import { diskSpace } from "../../../../core/kernel/alarms/kernel_alarms.ts";
import { database } from "../../../../core/storage/database.ts";
import { KERNEL_SCOPE, type KernelTables } from "../../../../core/storage/kernel_tables.ts";
import { openRemoteEngine } from "../../../../core/storage/remote/engine.ts";
import { Sqld, sqldRuns } from "../../../servers/sqld.ts";
import { temporaryDirectory } from "../../storage/engines.ts";
import { plugin } from "../rig.ts";
import { machine, type Watched, watched } from "./rig.ts";

const db = database<KernelTables>(KERNEL_SCOPE);
const Springs: Contract<object> = defineContract("spring");
const spring = (works: boolean) =>
  plugin("spring", {
    setup({ provide }) {
      if (!works) throw new Error("it broke");
      provide(Springs, {});
    },
  });
const wheel = plugin("wheel", { requires: { springs: Springs } });

/** Lets the machine look, and returns the names of the events of the installation. */
async function look(rig: Watched, count: number): Promise<string[]> {
  rig.clock.advance(60);
  await expect.poll(async () => {
    await rig.kernel.kernel.runJob("kernel.deliver_events");
    return rig.heard.length;
  }).toBe(count);
  return rig.heard.map(({ name }) => name);
}

test("a plugin that does not run is an event, with those that need it, and so is its return", async () => {
  const directory = await temporaryDirectory();
  const clock = new TestClock();
  const hostWork = machine("alpha", []);
  const start = (works: boolean) =>
    watched({ plugins: [spring(works), wheel], mayDegrade: true, directory, clock, hostWork });
  await (await start(true)).kernel.kernel.stop(10_000);
  const broken = await start(false);
  broken.kernel.kernel.startJobs();
  expect(await look(broken, 2)).toEqual(["kernel.plugin_failed", "kernel.plugin_failed"]);
  expect(broken.heard.map(({ data }) => data)).toEqual([
    expect.objectContaining({ plugin: "spring", machine: "alpha" }),
    expect.objectContaining({ plugin: "wheel", machine: "alpha" }),
  ]);
  await broken.kernel.kernel.stop(10_000);

  const stillBroken = await start(false);
  stillBroken.kernel.kernel.startJobs();
  expect(await look(stillBroken, 0)).toEqual([]);
  await stillBroken.kernel.kernel.stop(10_000);

  const mended = await start(true);
  mended.kernel.kernel.startJobs();
  expect(await look(mended, 2)).toEqual(["kernel.plugin_recovered", "kernel.plugin_recovered"]);
});

describe.skipIf(!sqldRuns())("machines on one database", () => {
  let sqld: Sqld;
  beforeAll(async () => void (sqld = await Sqld.start(`${await temporaryDirectory()}/sqld`)));
  afterAll(() => sqld.kill());

  test("what several find begins with the first and ends with the last, or when that one is gone for long", async () => {
    const full = { alpha: true, beta: true };
    const data = { machine: "alpha", directory: "/data", freeBytes: 1n, totalBytes: 100n };
    const start = async (name: keyof typeof full) => {
      const source = alarmSource(diskSpace, async () => full[name] ? [{ subject: "/data", data }] : []);
      const engine = await openRemoteEngine({ url: sqld.url });
      const rig = await watched({ engine, hostWork: machine(name, [source]) });
      rig.kernel.kernel.startJobs();
      return rig;
    };
    const alpha = await start("alpha");
    const beta = await start("beta");
    const counted = async () => {
      const call = alpha.kernel.kernel.systemCall("test");
      const events = await db(call).selectFrom("kernel_events").select("name").where("name", "like", "kernel.disk%")
        .orderBy("id").execute();
      const rows = await db(call).selectFrom("kernel_alarms").select("machine").where("name", "=", "disk_space")
        .orderBy("machine").execute();
      return { events: events.map(({ name }) => name), machines: rows.map((row) => row.machine) };
    };
    // a round that fails, because the database is slow, is repeated in the next one
    const countedInRounds = async () => {
      alpha.clock.advance(60);
      return await counted();
    };
    await expect.poll(counted).toEqual({ events: ["kernel.disk_filled_up"], machines: ["alpha", "beta"] });
    full.alpha = false;
    await expect.poll(countedInRounds).toEqual({ events: ["kernel.disk_filled_up"], machines: ["beta"] });
    await beta.kernel.kernel.stop(10_000);
    alpha.clock.advance(2 * 86_400);
    await expect.poll(countedInRounds).toEqual({
      events: ["kernel.disk_filled_up", "kernel.disk_freed"],
      machines: [],
    });
  });
});
