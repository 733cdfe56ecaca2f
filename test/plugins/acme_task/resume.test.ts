import type { Contract, Plugin, Setup } from "edgehelm";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { database } from "../../../core/storage/database.ts";
import { ACMEConnections } from "../../../plugins/acme_provider/contract/connections.ts";
import providers from "../../../plugins/acme_provider/plugin.ts";
import taskPlugin from "../../../plugins/acme_task/plugin.ts";
import { taskStore } from "../../../plugins/acme_task/store.ts";
import type { Tables } from "../../../plugins/acme_task/store_tables.ts";
import { pebbleRuns } from "../../servers/pebble.ts";
import { countOrders, createDomain, createTask, findTask, openRig, type Rig, runUntil } from "./rig.ts";

const { name: owner, tables } = taskPlugin.manifest;
const tasks = taskStore(database<Tables>({ owner, tables: new Set(tables) }));

/** The requests to the provider, as the contract names them. */
const STEPS = Object.keys(
  { newOrder: 0, order: 0, authorization: 0, answer: 0, finalize: 0, certificate: 0 } satisfies Partial<
    Record<keyof ACMEConnections, 0>
  >,
);

/** Ends a run after the provider got a request, before anything of its response is stored. */
const deaths = new Set<string>();
/** Holds a response of the provider back, which was asked for by the step. */
const held = new Map<string, { readonly reached: () => void; readonly released: Promise<void> }>();
const dying: Plugin = {
  ...providers,
  setup: (setup: Setup<unknown, Record<string, Contract<unknown>>, unknown>) =>
    providers.setup(
      {
        ...setup,
        provide(contract, implementation) {
          const isConnections = (contract as Contract<unknown>) === (ACMEConnections as Contract<unknown>);
          setup.provide(
            contract,
            isConnections ? mortal(implementation as object) as typeof implementation : implementation,
          );
        },
      } as typeof setup,
    ),
};

function mortal<Shape extends object>(connections: Shape): Shape {
  return new Proxy(connections, {
    get(target, name) {
      const method = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return async (...args: unknown[]) => {
        const result = await method.apply(target, args);
        const hold = held.get(String(name));
        hold?.reached();
        await hold?.released;
        if (deaths.delete(String(name))) throw new Error(`died after ${String(name)}`);
        return result;
      };
    },
  });
}

describe.runIf(pebbleRuns())("an order that is interrupted", () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await openRig({ plugins: [dying] });
  }, 120_000);
  afterAll(() => rig[Symbol.asyncDispose]());

  test("after every request to the provider is continued, without a second order", async () => {
    await createDomain(rig, "resumed.example.com");
    const names = { authType: "dns", dnsDomain: "resumed.example.com", domains: ["resumed.example.com"] };
    const id = await createTask(rig, names);
    for (const step of STEPS) deaths.add(step);
    const task = await vi.waitFor(async () => {
      await rig.edgehelm.kernel.runJob("acme_task.orders");
      rig.clock.advance(5);
      const current = await findTask(rig, id);
      if (current.latestACMETaskLog === undefined) throw new Error(`step "${current.step}"`);
      return current;
    }, { timeout: 120_000, interval: 50 });
    expect(task.latestACMETaskLog).toMatchObject({ isOk: true, error: "" });
    expect([...deaths]).toEqual([]);
    expect(countOrders(rig)).toBe(1);
  }, 180_000);

  test("is not continued by another run while a step takes long", async () => {
    await createDomain(rig, "slow.example.com");
    const id = await createTask(rig, { authType: "dns", dnsDomain: "slow.example.com", domains: ["slow.example.com"] });
    const before = countOrders(rig);
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    held.set("newOrder", { reached: reached.resolve, released: released.promise });
    const running = rig.edgehelm.kernel.runJob("acme_task.orders");
    await reached.promise;
    held.clear();
    const call = rig.edgehelm.kernel.systemCall("test");
    const claimedUntil = async () => (await tasks.byIds.all(call, { ids: [id] }))[0]!.claimedUntil;
    try {
      for (let beat = 0; beat < 10; beat++) {
        const until = await claimedUntil();
        rig.clock.advance(10);
        await vi.waitFor(async () => expect(await claimedUntil()).toBeGreaterThan(until), { timeout: 120_000 });
      }
      expect(await claimedUntil()).toBeGreaterThan(BigInt(Math.floor(rig.clock.now() / 1000)));
    } finally {
      released.resolve();
    }
    await running;
    await runUntil(rig, id, (task) => task.latestACMETaskLog?.isOk === true);
    expect(countOrders(rig)).toBe(before + 1);
    expect(await claimedUntil()).toBe(0n);
  }, 180_000);
});
