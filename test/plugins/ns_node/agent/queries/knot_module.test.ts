import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KnotConfiguration } from "../../../../../plugins/ns_node/agent/knot/configuration.ts";
import { Knotc } from "../../../../../plugins/ns_node/agent/knot/knotc.ts";
import { ensureModule } from "../../../../../plugins/ns_node/agent/queries/knot_module.ts";
import { Knot, knotRuns } from "../../../../servers/knot.ts";

describe.skipIf(!knotRuns())("the module by which Knot reports queries", () => {
  let knot: Knot;
  let knotc: Knotc;
  let configuration: KnotConfiguration;
  beforeAll(async () => {
    knot = await Knot.start();
    knotc = new Knotc({ program: "/usr/sbin/knotc", socket: knot.socket });
    configuration = new KnotConfiguration(knotc);
    // the operator has a module of their own
    await configuration.transact(["conf-set template[default].global-module mod-cookies"]);
  });
  afterAll(async () => {
    knotc?.close();
    await knot?.[Symbol.asyncDispose]();
  });

  const globals = async () => (await configuration.lines("template[default].global-module")).join();
  const settings = async () => (await configuration.lines("mod-probe")).map((line) => line.replaceAll('"', ""));

  test("is added beside those of the operator, once, and follows its directory", async () => {
    await ensureModule(configuration, "/run/one place");
    expect(await globals()).toBe("template[default].global-module = mod-cookies mod-probe/edgehelm");
    const first = ["mod-probe.id = edgehelm", "mod-probe[edgehelm].path = /run/one place"];
    expect(await settings()).toEqual([...first, "mod-probe[edgehelm].max-rate = 0"]);
    // a transaction that is under way would be aborted by a change
    await knotc.send(["conf-begin"]);
    await ensureModule(configuration, "/run/one place");
    expect(await knotc.send(["conf-abort"])).toEqual([""]);
    await ensureModule(configuration, "/run/two");
    expect(await settings()).toContain("mod-probe[edgehelm].path = /run/two");
    expect(await globals()).toBe("template[default].global-module = mod-cookies mod-probe/edgehelm");
  });

  test("gets its rate back, and is removed alone", async () => {
    await configuration.transact(["conf-set mod-probe[edgehelm].max-rate 5"]);
    await ensureModule(configuration, "/run/two");
    expect(await settings()).toContain("mod-probe[edgehelm].max-rate = 0");
    await ensureModule(configuration, undefined);
    expect(await settings()).toEqual([]);
    expect(await globals()).toBe("template[default].global-module = mod-cookies");
    await ensureModule(configuration, undefined);
  });
});
