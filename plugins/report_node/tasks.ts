import type { Call, Page } from "edgehelm";
import type { NodeIPAddresses, NodeIPAddressMessage } from "../node_ip_address/contract.ts";
import type { Measurement, ReportMeasurements } from "./contract.ts";

export const TASK_TYPE = "ipAddr";
const NODE_ROLE = "node";
const DEFAULT_PORT = 80;
const PAGE_SIZE = 1000n;
/** A limit above the number of addresses that a report node can measure in time. */
const MAX_TASKS = 20_000;
/** Addresses without results count as reachable. */
const NO_RESULTS: Measurement = { costMs: 0, connectivity: 100, level: "normal" };

/** An address with results of report nodes. */
export interface MeasuredAddress extends Measurement {
  readonly addrId: bigint;
  readonly ip: string;
  readonly port: number;
  readonly isUp: boolean;
}

/** The filter of tasks. */
export interface TaskFilter {
  readonly role: string;
  readonly nodeClusterId: bigint;
  readonly type: string;
}

/** The tasks of report nodes, derived from the accessible addresses of edge nodes. Nothing is stored. */
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
    if (!isSupported(filter)) return 0n;
    return await this.#addresses?.countAccessible(call, NODE_ROLE, filter.nodeClusterId) ?? 0n;
  }

  /** Returns a page of tasks with their measurements. */
  async list(call: Call, filter: TaskFilter, page: Page) {
    if (!isSupported(filter)) return [];
    const addresses = await this.#addresses?.accessible(call, NODE_ROLE, filter.nodeClusterId, page) ?? [];
    const found = await this.#measurementsOf(call, addresses.map(({ id = 0n }) => id));
    return addresses.map((nodeIPAddress) => {
      const { costMs, level, connectivity } = found.get(nodeIPAddress.id ?? 0n) ?? NO_RESULTS;
      return { ip: nodeIPAddress.ip ?? "", port: this.#port, costMs, level, connectivity, nodeIPAddress };
    });
  }

  /** Returns the tasks of every report node. */
  async all(call: Call) {
    const tasks: { addrId: number; ip: string; port: number }[] = [];
    while (tasks.length < MAX_TASKS) {
      const page = { offset: BigInt(tasks.length), size: PAGE_SIZE };
      const addresses = await this.#addresses?.accessible(call, NODE_ROLE, 0n, page) ?? [];
      tasks.push(...addresses.map(({ id = 0n, ip = "" }) => ({ addrId: Number(id), ip, port: this.#port })));
      if (addresses.length < Number(PAGE_SIZE)) break;
    }
    return tasks;
  }

  /** Returns which of the ids are those of addresses that clients can reach; whether they are turned on is ignored. */
  async targetsAmong(call: Call, ids: readonly bigint[]): Promise<ReadonlySet<bigint>> {
    const found = await this.#addresses?.byIds(call, ids) ?? new Map<bigint, NodeIPAddressMessage>();
    const targets = [...found].filter(([, { role, canAccess }]) => role === NODE_ROLE && canAccess);
    return new Set(targets.map(([id]) => id));
  }

  /** Returns the addresses with results. */
  async measured(call: Call): Promise<MeasuredAddress[]> {
    const measured: MeasuredAddress[] = [];
    for (let offset = 0n; offset < BigInt(MAX_TASKS); offset += PAGE_SIZE) {
      const page = { offset, size: PAGE_SIZE };
      const addresses = await this.#addresses?.accessible(call, NODE_ROLE, 0n, page) ?? [];
      const found = await this.#measurementsOf(call, addresses.map(({ id = 0n }) => id));
      for (const { id = 0n, ip = "", isUp = false } of addresses) {
        const measurement = found.get(id);
        if (measurement !== undefined) measured.push({ addrId: id, ip, port: this.#port, isUp, ...measurement });
      }
      if (addresses.length < Number(PAGE_SIZE)) break;
    }
    return measured;
  }

  async #measurementsOf(call: Call, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, Measurement>> {
    const maps = await Promise.all(this.#measurements.map((store) => store.ofTargets(call, TASK_TYPE, ids)));
    return new Map(maps.flatMap((map) => [...map]));
  }
}

function isSupported({ role, type }: TaskFilter): boolean {
  return ["", NODE_ROLE].includes(role) && ["", TASK_TYPE].includes(type);
}
