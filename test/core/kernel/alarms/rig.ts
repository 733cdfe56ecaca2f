import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { Plugin } from "edgehelm";
import { EventListeners } from "edgehelm/runtime";
import { TestClock, type TestKernel, testKernel, type TestKernelOptions } from "edgehelm/testing";
import { onTestFinished } from "vitest";
import { type HostWork, NO_HOST_WORK } from "../../../../core/kernel/host_work.ts";
import { plugin } from "../rig.ts";

/** An event as a test compares it. */
export interface Heard {
  readonly name: string;
  readonly data: MessageShape<DescMessage>;
}

/** An installation whose events are kept. */
export interface Watched {
  readonly kernel: TestKernel;
  readonly clock: TestClock;
  readonly heard: Heard[];
  /** Looks for alarms of the installation, and returns the names of the events since the last time. */
  watch(prefix?: string): Promise<string[]>;
}

/** Starts an installation with a listener. */
export async function watched(options: Partial<TestKernelOptions> & { clock?: TestClock } = {}): Promise<Watched> {
  const { clock = new TestClock(), plugins = [], ...rest } = options;
  const heard: Heard[] = [];
  const ear: Plugin = plugin("ear", {
    more: { contributes: ["kernel.event_listeners"] },
    setup: ({ contribute }) => {
      contribute(EventListeners, {
        name: "ear",
        handle: (_call, { kind, data }) => Promise.resolve(void heard.push({ name: kind.name, data })),
      });
    },
  });
  const kernel = await testKernel({ ...rest, clock, plugins: [...plugins, ear] });
  onTestFinished(() => kernel[Symbol.asyncDispose]());
  let seen = 0;
  return {
    kernel,
    clock,
    heard,
    async watch(prefix = "kernel.") {
      await kernel.kernel.runJob("kernel.watch_alarms");
      await kernel.kernel.runJob("kernel.deliver_events");
      await kernel.kernel.runJob("kernel.deliver_events");
      const news = heard.slice(seen).map(({ name }) => name).filter((name) => name.startsWith(prefix));
      seen = heard.length;
      return news;
    },
  };
}

/** Returns the work of a machine with a name. */
export function machine(name: string, alarms: HostWork["alarms"]): () => HostWork {
  return () => ({ ...NO_HOST_WORK({} as never), machine: name, alarms });
}
