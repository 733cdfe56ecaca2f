import type { Plugin } from "edgehelm";
import { as } from "../caller.ts";
import { TestClock } from "../clock.ts";
import { testKernel, type TestKernelOptions } from "../kernel.ts";
import type { ConformanceFixture } from "./fixture.ts";
import { migrationErrors } from "./migrations.ts";
import { ownershipFindings } from "./ownership.ts";
import { pagingFindings } from "./paging.ts";
import { parityFindings } from "./parity.ts";
import { roleFindings } from "./roles.ts";
import { subsetFindings } from "./subset.ts";
import { tableErrors } from "./tables.ts";

/** A check that every plugin must pass. */
export interface ConformanceCheck {
  /** A sentence that names the test. */
  readonly name: string;
  /**
   * Runs the check.
   *
   * @throws Error that lists every violation
   */
  run(): Promise<void>;
}

/** The options of {@link pluginConformance}: stubs for the contracts that it requires, configuration, host part, a fixture. */
export interface ConformanceOptions extends Pick<TestKernelOptions, "stubs" | "config" | "hosts"> {
  /** Other plugins to boot, such as those whose contracts it requires, in place of stubs. */
  readonly plugins?: readonly Plugin[];
  /** Creates objects of the plugin, without which ownership and paging cannot be checked. */
  readonly fixture?: ConformanceFixture;
}

/**
 * Returns the checks that every plugin must pass: roles and modules, ownership, paging, parity of the protocols,
 * dependencies, tables and migrations. They run with any test runner.
 *
 * @param options stubs for the contracts that the plugin requires, its configuration, its host part and a fixture
 * @returns the checks, one for each test
 *
 * @example
 * ```ts
 * import { test } from "node:test";
 * import { pluginConformance } from "edgehelm/testing";
 * import plugin from "../plugin.ts";
 *
 * for (const { name, run } of pluginConformance(plugin)) test(name, run);
 * ```
 */
export function pluginConformance(
  plugin: Plugin,
  options: ConformanceOptions = {},
): readonly ConformanceCheck[] {
  const { fixture, plugins: others = [], ...bootOptions } = options;
  const { stubs = [] } = options;
  const required = Object.values(plugin.requires ?? {}).filter(({ id, optional }) =>
    !optional && !isKernelContract(id)
  );
  const boot = (overrides: Partial<TestKernelOptions> = {}) =>
    testKernel({ plugins: [plugin, ...others], ...bootOptions, ...overrides });

  return [
    {
      name: "every operation permits exactly the roles and modules of its allow option, over every protocol",
      async run() {
        const clock = new TestClock();
        const sets = [[], ...(plugin.manifest.modules ?? []).map(({ code }) => [code])];
        const admins = sets.map((modules, index) => ({ caller: as.admin(BigInt(index + 2)), modules }));
        const byId = Object.fromEntries(admins.map(({ caller, modules }) => [String(caller.id), modules]));
        await using edgehelm = await boot({ clock, admins: byId });
        throwIfAny((await roleFindings(edgehelm, clock, admins)).errors);
      },
    },
    {
      name: "every operation has the same outcome over every protocol",
      async run() {
        await using edgehelm = await boot();
        throwIfAny((await parityFindings(edgehelm)).errors);
      },
    },
    {
      name: "an object of another user is to a user as if it did not exist",
      async run() {
        await using edgehelm = await boot();
        throwIfAny((await ownershipFindings(edgehelm, fixture)).errors);
      },
    },
    {
      name: "every list is the same in pages of any size",
      async run() {
        await using edgehelm = await boot();
        throwIfAny((await pagingFindings(edgehelm, fixture)).errors);
      },
    },
    {
      name: "a database of every earlier version is migrated to the same tables as a new one",
      async run() {
        throwIfAny(await migrationErrors(plugin, (directory) => boot({ directory })));
      },
    },
    {
      name: "the plugin works with only the contracts that it requires",
      async run() {
        await using edgehelm = await boot({
          stubs: stubs.filter(({ contract }) => required.some(({ id }) => id === contract.id)),
        });
        throwIfAny((await subsetFindings(edgehelm)).errors);
      },
    },
    {
      name: "the plugin creates exactly the tables that it declares",
      async run() {
        await using edgehelm = await boot();
        throwIfAny(await tableErrors(edgehelm, plugin));
      },
    },
  ];
}

function isKernelContract(contractId: string): boolean {
  return contractId.startsWith("kernel.");
}

function throwIfAny(errors: readonly string[]): void {
  if (errors.length > 0) throw new Error(errors.join("\n"));
}
