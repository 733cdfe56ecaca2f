import type { Instances } from "../harness/instances.ts";
import type { Running } from "./instances_load.ts";

const KINDS = ["kill", "stop", "suspend", "silent", "refused"] as const;
type Kind = (typeof KINDS)[number];

/** The duration of a disturbance: a minimum and a random addition, in milliseconds. */
const [MIN_DURATION, RANDOM_DURATION] = [2000, 6000];
/** The maximum number of disturbed instances at a time, so that calls still succeed on the others. */
const MAX_DISTURBED = 2;

/** Disturbs instances as hosts and networks do: it kills, stops, suspends and partitions them in turn. */
export class Chaos {
  readonly #instances: Instances;
  readonly #running: Running;
  readonly #pause: number;
  readonly #disturbed = new Map<number, Promise<void>>();
  readonly counts: Record<Kind, number> = { kill: 0, stop: 0, suspend: 0, silent: 0, refused: 0 };

  /** @param pause the time between two disturbances in milliseconds */
  constructor(instances: Instances, running: Running, pause: number) {
    this.#instances = instances;
    this.#running = running;
    this.#pause = pause;
  }

  /** Returns the index of a random undisturbed instance. */
  healthyIndex(): number {
    const healthy = [...this.#instances.servers.keys()].filter((index) => !this.#disturbed.has(index));
    return healthy[Math.floor(Math.random() * healthy.length)]!;
  }

  async run(): Promise<void> {
    let turn = 0;
    let next = performance.now() + this.#pause;
    while (!this.#running.isOver) {
      await pause(100);
      if (performance.now() < next || this.#disturbed.size >= MAX_DISTURBED) continue;
      next = performance.now() + this.#pause;
      const index = this.healthyIndex();
      const kind = KINDS[turn++ % KINDS.length]!;
      this.counts[kind]++;
      this.#disturbed.set(index, this.#disturb(kind, index).finally(() => this.#disturbed.delete(index)));
    }
  }

  /** Waits until all disturbances have ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#disturbed.values());
  }

  async #disturb(kind: Kind, index: number): Promise<void> {
    const server = this.#instances.servers[index]!;
    const proxy = this.#instances.proxies[index]!;
    const time = MIN_DURATION + Math.random() * RANDOM_DURATION;
    switch (kind) {
      case "kill":
        server.kill();
        await server.ended;
        await pause(time / 4);
        return await this.#instances.restart(index);
      case "stop":
        await server.stop();
        return await this.#instances.restart(index);
      case "suspend":
        server.suspend();
        await pause(time);
        return server.resume();
      case "silent":
      case "refused":
        proxy.cutOff(kind);
        await pause(time);
        return proxy.restore();
    }
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
