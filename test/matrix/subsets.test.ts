import type { Plugin } from "edgehelm";
import { as, type TestCaller, TestClock, testKernel } from "edgehelm/testing";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { providerOf } from "../../core/base/contract.ts";
import { rolesOf } from "../../core/calls/operation.ts";
import { StartupError } from "../../core/base/startup_error.ts";
import nsDomainGroup from "../../plugins/ns_domain_group/plugin.ts";
import { NSDomainGroupService } from "../../plugins/ns_domain_group/proto/service_ns_domain_group_pb.ts";
import { isUnary, outcomeOf } from "../harness/outcome.ts";
import { fixtures } from "./fixtures.ts";
import { UserService } from "../../plugins/user/proto/service_user_pb.ts";
import { firstParty } from "./plugins.ts";
import { standIns } from "./world.ts";

const byName = new Map(firstParty.map((plugin) => [plugin.manifest.name, plugin]));

function required(plugin: Plugin): string[] {
  const contracts = Object.values(plugin.requires ?? {}).filter(({ optional }) => !optional);
  return contracts.filter((contract) => providerOf(contract) !== "kernel").map(({ id }) => id);
}

/** The plugin and everything without which it cannot run. */
function closureOf(plugin: Plugin, found = new Set<Plugin>()): Set<Plugin> {
  if (found.has(plugin)) return found;
  found.add(plugin);
  for (const id of required(plugin)) {
    const provider = byName.get(id.split(".", 1)[0]!);
    if (provider !== undefined) closureOf(provider, found);
  }
  return found;
}

/** An installation in which every plugin has run, so that starting a part of them again takes no migrations. */
let seasoned: string;
beforeAll(async () => {
  seasoned = await mkdtemp(join(tmpdir(), "edgehelm-test-"));
  await (await testKernel({ plugins: firstParty, directory: seasoned })).stop();
});
afterAll(() => rm(seasoned, { recursive: true }));

async function startFailure(plugins: readonly Plugin[]): Promise<unknown> {
  try {
    await using edgehelm = await testKernel({ plugins, directory: seasoned });
    await edgehelm.stop();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** Boots some plugins and calls every operation of theirs with an empty request: none may end with a defect. */
async function expectToWork(plugins: readonly Plugin[]): Promise<void> {
  await using edgehelm = await testKernel({ plugins });
  const { all } = edgehelm.kernel.operations;
  const services = plugins.flatMap(({ manifest }) => manifest.services);
  expect(new Set(all.map(({ method }) => method.parent.name))).toEqual(new Set(services));
  for (const { method } of all) {
    if (!isUnary(method)) continue;
    const [role = "admin"] = rolesOf(method);
    const caller = role === "anonymous" ? as.nobody() : { role: role as TestCaller["role"], id: 7n };
    const outcome = await outcomeOf(edgehelm, await edgehelm.token(caller), method, {});
    expect({ ...outcome, method: method.name }, names(plugins)).not.toMatchObject({ code: 500 });
  }
}

function names(plugins: readonly Plugin[]): string {
  return plugins.map(({ manifest }) => manifest.name).join(", ");
}

const each = firstParty.map((plugin) => ({ name: plugin.manifest.name, plugin }));

describe.each(each)("$name", ({ name, plugin }) => {
  test("works with nothing but what it requires", async () => {
    await expectToWork([...closureOf(plugin)]);
  });

  test("is either not missed by the others, or missed by name in one error", async () => {
    const rest = firstParty.filter((other) => other !== plugin);
    const unmet = rest.flatMap((other) =>
      required(other).filter((id) => id.split(".", 1)[0] === name)
        .map((id) => `plugin "${other.manifest.name}" requires contract "${id}", which no enabled plugin provides`)
    );
    const failure = await startFailure(rest);
    if (unmet.length === 0) expect(failure).toBeUndefined();
    else {
      expect(failure).toBeInstanceOf(StartupError);
      expect((failure as StartupError).problems.toSorted()).toEqual(unmet.toSorted());
    }
  });
});

test.each(Array.from({ length: 5 }, (_, at) => at + 1))("subset %i of all works", async (seed) => {
  const random = generator(seed);
  const found = new Set<Plugin>();
  for (const plugin of firstParty) if (random() < 0.15) closureOf(plugin, found);
  await expectToWork([...found]);
});

/** Numbers from 0 to 1 that are the same for the same seed: mulberry32. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = state + 0x6d2b79f5 | 0;
    let mixed = Math.imul(state ^ state >>> 15, 1 | state);
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
    return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32;
  };
}

test.each(fixtures.map((fixture) => ({ name: fixture.plugin, fixture })))(
  "$name makes and lists its things with nothing but what it requires",
  async ({ name, fixture }) => {
    const plugins = [...closureOf(byName.get(name)!)];
    const has = plugins.map(({ manifest }) => manifest.name);
    await using edgehelm = await testKernel({ plugins, stubs: standIns(has) });
    const userOf = async (username: string, id: bigint) => {
      if (!has.includes("user")) return as.user(id);
      const person = { username, password: `${username} walks in the rain` };
      return as.user((await edgehelm.call(as.admin(), UserService.method.createUser, person)).userId);
    };
    const [ada, bob] = [await userOf("ada", 7n), await userOf("bob", 8n)];
    const world = { edgehelm, clock: new TestClock(), admin: as.admin(), ada, bob };
    await fixture.make(world, world.ada, "adathing");
    if (fixture.all !== undefined) expect(JSON.stringify(await fixture.all(world, world.ada))).not.toBe("[]");
  },
);

test("a plugin that was off for a while finds its data again", async () => {
  const directory = await mkdtemp(join(tmpdir(), "edgehelm-test-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const { createNSDomainGroup, findNSDomainGroup } = NSDomainGroupService.method;
  const path = "/NSDomainGroupService/findAllNSDomainGroups";
  const without = firstParty.filter((plugin) => closureOf(plugin).has(nsDomainGroup) === false);

  const first = await testKernel({ plugins: [nsDomainGroup], directory });
  const { nsDomainGroupId } = await first.call(as.user(7n), createNSDomainGroup, { name: "shops" });
  await first.stop();
  const off = await testKernel({ plugins: without, directory });
  expect(await off.post(path, {}, as.user(7n))).toMatchObject({ status: 404 });
  await off.stop();
  const again = await testKernel({ plugins: [nsDomainGroup], directory });
  const { nsDomainGroup: found } = await again.call(as.user(7n), findNSDomainGroup, { nsDomainGroupId });
  await again.stop();
  expect(found).toMatchObject({ name: "shops", userId: 7n });
});
