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

/** Returns the plugin and all plugins that it requires, directly or not. */
function closureOf(plugin: Plugin, closure = new Set<Plugin>()): Set<Plugin> {
  if (closure.has(plugin)) return closure;
  closure.add(plugin);
  for (const id of required(plugin)) {
    const provider = byName.get(id.split(".", 1)[0]!);
    if (provider !== undefined) closureOf(provider, closure);
  }
  return closure;
}

/** The directory of an installation on which all migrations ran, so that starting some plugins is fast. */
let migratedDirectory: string;
beforeAll(async () => {
  migratedDirectory = await mkdtemp(join(tmpdir(), "edgehelm-test-"));
  await (await testKernel({ plugins: firstParty, directory: migratedDirectory })).stop();
});
afterAll(() => rm(migratedDirectory, { recursive: true }));

async function startupError(plugins: readonly Plugin[]): Promise<unknown> {
  try {
    await using edgehelm = await testKernel({ plugins, directory: migratedDirectory });
    await edgehelm.stop();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** Starts some plugins and calls all of their operations with an empty request: none may fail with an internal error. */
async function expectToWork(plugins: readonly Plugin[]): Promise<void> {
  await using edgehelm = await testKernel({ plugins });
  const { all } = edgehelm.kernel.operations;
  const services = plugins.flatMap(({ manifest }) => manifest.services);
  expect(new Set(all.map(({ method }) => method.parent.name))).toEqual(new Set(services));
  for (const { method } of all) {
    if (!isUnary(method)) continue;
    const [role = "admin"] = rolesOf(method);
    const caller = { role: role as TestCaller["role"], id: role === "admin" ? 1n : 7n };
    const outcome = await outcomeOf(edgehelm, await edgehelm.token(caller), method, {});
    expect({ ...outcome, method: method.name }, names(plugins)).not.toMatchObject({ code: 500 });
  }
}

function names(plugins: readonly Plugin[]): string {
  return plugins.map(({ manifest }) => manifest.name).join(", ");
}

const each = firstParty.map((plugin) => ({ name: plugin.manifest.name, plugin }));

describe.each(each)("$name", ({ name, plugin }) => {
  test("works with only the plugins that it requires", async () => {
    await expectToWork([...closureOf(plugin)]);
  });

  test("is either not required by the others, or one error lists every plugin that requires it", async () => {
    const rest = firstParty.filter((other) => other !== plugin);
    const unmet = rest.flatMap((other) =>
      required(other).filter((id) => id.split(".", 1)[0] === name)
        .map((id) => `plugin "${other.manifest.name}" requires contract "${id}", which no enabled plugin provides`)
    );
    const error = await startupError(rest);
    if (unmet.length === 0) expect(error).toBeUndefined();
    else {
      expect(error).toBeInstanceOf(StartupError);
      expect((error as StartupError).errors.toSorted()).toEqual(unmet.toSorted());
    }
  });
});

test.each(Array.from({ length: 5 }, (_, at) => at + 1))("subset %i of all works", async (seed) => {
  const random = generator(seed);
  const subset = new Set<Plugin>();
  for (const plugin of firstParty) if (random() < 0.15) closureOf(plugin, subset);
  await expectToWork([...subset]);
});

/** Returns a generator of pseudo-random numbers from 0 to 1 (mulberry32). */
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
  "$name creates and lists its objects with only the plugins that it requires",
  async ({ name, fixture }) => {
    const needed = [name, ...fixture.needs ?? []].flatMap((one) => [...closureOf(byName.get(one)!)]);
    const plugins = [...new Set(needed)];
    const enabled = plugins.map(({ manifest }) => manifest.name);
    await using edgehelm = await testKernel({ plugins, stubs: standIns(enabled) });
    const userOf = async (username: string, id: bigint) => {
      if (!enabled.includes("user")) return as.user(id);
      const person = { username, password: `${username} walks in the rain` };
      return as.user((await edgehelm.call(as.admin(), UserService.method.createUser, person)).userId);
    };
    const [ada, bob] = [await userOf("ada", 7n), await userOf("bob", 8n)];
    const world = { edgehelm, clock: new TestClock(), admin: as.admin(), ada, bob };
    await fixture.create(world, world.ada, "adathing");
    if (fixture.all !== undefined) expect(JSON.stringify(await fixture.all(world, world.ada))).not.toBe("[]");
  },
);

test("a plugin that was disabled finds its data after it is enabled again", async () => {
  const directory = await mkdtemp(join(tmpdir(), "edgehelm-test-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const { createNSDomainGroup, findNSDomainGroup } = NSDomainGroupService.method;
  const path = "/NSDomainGroupService/findAllNSDomainGroups";
  const without = firstParty.filter((plugin) => closureOf(plugin).has(nsDomainGroup) === false);

  const first = await testKernel({ plugins: [nsDomainGroup], directory });
  const { nsDomainGroupId } = await first.call(as.user(7n), createNSDomainGroup, { name: "shops" });
  await first.stop();
  const disabled = await testKernel({ plugins: without, directory });
  expect(await disabled.post(path, {}, as.user(7n))).toMatchObject({ status: 404 });
  await disabled.stop();
  const enabledAgain = await testKernel({ plugins: [nsDomainGroup], directory });
  const { nsDomainGroup: found } = await enabledAgain.call(as.user(7n), findNSDomainGroup, { nsDomainGroupId });
  await enabledAgain.stop();
  expect(found).toMatchObject({ name: "shops", userId: 7n });
});
