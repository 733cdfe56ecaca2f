import type { Plugin } from "edgehelm";
import { TestClock } from "../clock.ts";
import { testKernel, type TestKernelOptions } from "../kernel.ts";
import { parityFindings } from "./parity.ts";
import { roleFindings } from "./roles.ts";
import { tableErrors } from "./tables.ts";

/** One thing that every plugin has to do right. */
export interface ConformanceCheck {
  /** A sentence, to name a test by. */
  readonly name: string;
  /** @throws Error that lists every fault */
  run(): Promise<void>;
}

/**
 * The checks that every plugin has to pass, for the test runner of your choice.
 *
 * @param options stand-ins for the contracts that the plugin requires, its configuration, its host part
 *
 * @example
 * ```ts
 * for (const { name, run } of pluginConformance(plugin)) test(name, run);
 * ```
 */
export function pluginConformance(
  plugin: Plugin,
  options: Pick<TestKernelOptions, "stubs" | "config" | "hosts"> = {},
): readonly ConformanceCheck[] {
  const { stubs = [] } = options;
  const needed = Object.values(plugin.requires ?? {}).filter(({ id, optional }) => !optional && !isKernels(id));
  const boot = (more: Partial<TestKernelOptions> = {}) => testKernel({ plugins: [plugin], ...options, ...more });

  return [
    {
      name: "every operation lets in exactly the callers that its allow option names, over every wire",
      async run() {
        const clock = new TestClock();
        await using edgehelm = await boot({ clock });
        report((await roleFindings(edgehelm, clock)).faults);
      },
    },
    {
      name: "every operation ends alike over every wire",
      async run() {
        await using edgehelm = await boot();
        report((await parityFindings(edgehelm)).faults);
      },
    },
    {
      name: "the plugin boots with nothing but the contracts that it requires",
      async run() {
        await using _ = await boot({
          stubs: stubs.filter(({ contract }) => needed.some(({ id }) => id === contract.id)),
        });
      },
    },
    {
      name: "the plugin makes the tables that it lists, and no others",
      async run() {
        await using edgehelm = await boot();
        report(await tableErrors(edgehelm, plugin));
      },
    },
  ];
}

function isKernels(contractId: string): boolean {
  return contractId.startsWith("kernel.");
}

function report(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(faults.join("\n"));
}
