import type { Instances } from "../harness/instances.ts";
import type { Running } from "./instances_load.ts";

const KINDS = ["kill", "stop", "halt", "silent", "refused"] as const;
type Kind = (typeof KINDS)[number];

/** How long an instance is left alone, and how long it is gone, in milliseconds. */
const [LEAST, MORE] = [2000, 6000];
/** So many are well at any time, or clients would learn nothing. */
const MAX_GONE = 2;

/** Does to instances what machines and networks do: one after the other, up to two at a time. */
export class Chaos {
  readonly #instances: Instances;
  readonly #running: Running;
  readonly #pause: number;
  readonly #gone = new Map<number, Promise<void>>();
  readonly done: Record<Kind, number> = { kill: 0, stop: 0, halt: 0, silent: 0, refused: 0 };

  /** @param pause between one act and the next, in milliseconds */
  constructor(instances: Instances, running: Running, pause: number) {
    this.#instances = instances;
    this.#running = running;
    this.#pause = pause;
  }

  /** An instance that nothing is done to now. */
  wellOne(): number {
    const well = [...this.#instances.servers.keys()].filter((index) => !this.#gone.has(index));
    return well[Math.floor(Math.random() * well.length)]!;
  }

  async run(): Promise<void> {
    let turn = 0;
    let next = performance.now() + this.#pause;
    while (!this.#running.isOver) {
      await pause(100);
      if (performance.now() < next || this.#gone.size >= MAX_GONE) continue;
      next = performance.now() + this.#pause;
      const index = this.wellOne();
      const kind = KINDS[turn++ % KINDS.length]!;
      this.done[kind]++;
      this.#gone.set(index, this.#act(kind, index).finally(() => this.#gone.delete(index)));
    }
  }

  /** Waits until everything is well again. */
  async calm(): Promise<void> {
    await Promise.all(this.#gone.values());
  }

  async #act(kind: Kind, index: number): Promise<void> {
    const server = this.#instances.servers[index]!;
    const proxy = this.#instances.proxies[index]!;
    const time = LEAST + Math.random() * MORE;
    switch (kind) {
      case "kill":
        server.kill();
        await server.ended;
        await pause(time / 4);
        return await this.#instances.restart(index);
      case "stop":
        await server.stop();
        return await this.#instances.restart(index);
      case "halt":
        server.halt();
        await pause(time);
        return server.go();
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
