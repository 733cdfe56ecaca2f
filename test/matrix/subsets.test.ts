import type { Plugin } from "edgehelm";
import { as, testKernel } from "edgehelm/testing";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { providerOf } from "../../core/contract.ts";
import { StartupError } from "../../core/startup_error.ts";
import nsDomainGroup from "../../plugins/ns_domain_group/plugin.ts";
import { NSDomainGroupService } from "../../plugins/ns_domain_group/service_ns_domain_group_pb.ts";
import { firstParty } from "./plugins.ts";

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

async function startFailure(plugins: readonly Plugin[]): Promise<unknown> {
  try {
    await using _ = await testKernel({ plugins });
  } catch (error) {
    return error;
  }
  return undefined;
}

const each = firstParty.map((plugin) => ({ name: plugin.manifest.name, plugin }));

describe.each(each)("$name", ({ name, plugin }) => {
  test("boots with nothing but what it requires", async () => {
    expect(await startFailure([...closureOf(plugin)])).toBeUndefined();
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
