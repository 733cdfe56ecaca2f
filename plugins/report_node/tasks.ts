import type { Call, Page } from "edgehelm";
import type { NodeIPAddresses } from "../node_ip_address/contract.ts";
import type { Measurement, ReportMeasurements } from "./contract.ts";

export const TASK_TYPE = "ipAddr";
const NODE_ROLE = "node";
const DEFAULT_PORT = 80;
const READ_AT_ONCE = 1000n;
/** More addresses than one report node can measure in its time. */
const MAX_TASKS = 20_000;
/** What is not known to be bad counts as good enough. */
const NOT_REPORTED: Measurement = { costMs: 0, connectivity: 100, level: "normal" };

/** An address that too few report nodes reach. */
export interface Unreached extends Measurement {
  readonly addrId: bigint;
  readonly ip: string;
  readonly port: number;
}

/** Which tasks a request is about. */
export interface TaskFilter {
  readonly role: string;
  readonly nodeClusterId: bigint;
  readonly type: string;
}

/** What report nodes measure: the addresses that clients reach. Nothing is stored, so that nothing can be left over. */
export class ReportTasks {
  readonly #addresses: NodeIPAddresses | undefined;
  readonly #measurements: readonly ReportMeasurements[];
  readonly #port: number;

  constructor(addresses: NodeIPAddresses | undefined, measurements: readonly ReportMeasurements[], port: number) {
    this.#addresses = addresses;
    this.#measurements = measurements;
    this.#port = port || DEFAULT_PORT;
  }

  async count(call: Call, filter: TaskFilter): Promise<bigint> {
    if (!isKnown(filter)) return 0n;
    return await this.#addresses?.countAccessible(call, NODE_ROLE, filter.nodeClusterId) ?? 0n;
  }

  /** A page of tasks, with what was found. */
  async list(call: Call, filter: TaskFilter, page: Page) {
    if (!isKnown(filter)) return [];
    const addresses = await this.#addresses?.accessible(call, NODE_ROLE, filter.nodeClusterId, page) ?? [];
    const found = await this.#found(call, addresses.map(({ id = 0n }) => id));
    return addresses.map((nodeIPAddress) => {
      const { costMs, level, connectivity } = found.get(nodeIPAddress.id ?? 0n) ?? NOT_REPORTED;
      return { ip: nodeIPAddress.ip ?? "", port: this.#port, costMs, level, connectivity, nodeIPAddress };
    });
  }

  /** What every report node is to measure. */
  async all(call: Call) {
    const tasks: { addrId: number; ip: string; port: number }[] = [];
    while (tasks.length < MAX_TASKS) {
      const page = { offset: BigInt(tasks.length), size: READ_AT_ONCE };
      const some = await this.#addresses?.accessible(call, NODE_ROLE, 0n, page) ?? [];
      tasks.push(...some.map(({ id = 0n, ip = "" }) => ({ addrId: Number(id), ip, port: this.#port })));
      if (some.length < Number(READ_AT_ONCE)) break;
    }
    return tasks;
  }

  /** Addresses that report nodes reported on, and that fewer than so many percent of them reached. */
  async reachedByFewerThan(call: Call, percent: number): Promise<Unreached[]> {
    const unreached: Unreached[] = [];
    for (let offset = 0n; offset < BigInt(MAX_TASKS); offset += READ_AT_ONCE) {
      const page = { offset, size: READ_AT_ONCE };
      const some = await this.#addresses?.accessible(call, NODE_ROLE, 0n, page) ?? [];
      const found = await this.#found(call, some.map(({ id = 0n }) => id));
      for (const { id = 0n, ip = "" } of some) {
        const measurement = found.get(id);
        if (measurement === undefined || measurement.connectivity >= percent) continue;
        unreached.push({ addrId: id, ip, port: this.#port, ...measurement });
      }
      if (some.length < Number(READ_AT_ONCE)) break;
    }
    return unreached;
  }

  async #found(call: Call, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, Measurement>> {
    const maps = await Promise.all(this.#measurements.map((one) => one.ofTargets(call, TASK_TYPE, ids)));
    return new Map(maps.flatMap((map) => [...map]));
  }
}

function isKnown({ role, type }: TaskFilter): boolean {
  return ["", NODE_ROLE].includes(role) && ["", TASK_TYPE].includes(type);
}
