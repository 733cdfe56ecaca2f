import { type Call, type Clock, kernelErrors, type Logger } from "edgehelm";
import type { FoundLogs, LogEntry, LogFilter, LogPage, LogStore, StoredDay } from "../../http_access_log/contract.ts";
import { encodeBatch } from "../rows/batch.ts";
import { mergeFound, unpackFound } from "./workers/found_logs.ts";
import type { Damage } from "./files/directory.ts";
import { WorkerSupervisor } from "./workers/worker_supervisor.ts";
import { DirectoryLock } from "./files/directory_lock.ts";
import type { FoundBatch, ListRequest, SegmentOptions, StoredCounts } from "./workers/messages.ts";
import { type StartWorker, startWorker } from "./workers/worker_client.ts";

const MIB = 1024 * 1024;
/** The maximum number of bytes waiting to become durable. */
const MAX_WAITING_BYTES = 64 * MIB;
/** The maximum duration of a search in milliseconds, and the maximum number of rows it examines. */
const SEARCH_TIME = 5000;
const SEARCH_ROWS = 100_000_000;
/** The number of milliseconds that a search leaves before the deadline of the call for delivering the response. */
const SPARE_TIME = 250;

/** The dependencies of a segment store. */
export interface SegmentDeps {
  /** The clock of the deadlines of calls. */
  readonly clock: Clock;
  readonly log: Logger;
  /** Starts a worker thread; the default uses node:worker_threads. */
  readonly startWorker?: StartWorker;
}

export const SEGMENT_DEFAULTS: Omit<SegmentOptions, "directory"> = {
  partitionRows: 500_000,
  generationRows: 131_072,
  generationBytes: 96 * MIB,
  segmentRows: 262_144,
  mergeCount: 8,
  retryTime: 1000,
};

/** Stores logs in files, which worker threads read and write. */
export class SegmentStore implements LogStore {
  readonly #lock: DirectoryLock;
  readonly #workers: WorkerSupervisor;
  readonly #deps: SegmentDeps;
  /** Damaged files that have been logged. */
  readonly #loggedDamages = new Set<string>();
  #waitingBytes = 0;

  /** @throws Error if another process holds the directory */
  constructor(
    options: Partial<SegmentOptions> & Pick<SegmentOptions, "directory">,
    deps: SegmentDeps,
  ) {
    this.#deps = deps;
    this.#lock = new DirectoryLock(options.directory);
    this.#workers = new WorkerSupervisor({
      options: { ...SEGMENT_DEFAULTS, ...options },
      start: deps.startWorker ?? startWorker,
      damage: (damage) => this.#logDamage(damage),
    }, deps.log);
  }

  async append(_call: Call, entries: readonly LogEntry[]): Promise<void> {
    const { writer } = await this.#workers.ready();
    if (entries.length === 0) return;
    const batch = encodeBatch(entries).buffer;
    const { byteLength: length } = batch;
    if (this.#waitingBytes > 0 && this.#waitingBytes + length > MAX_WAITING_BYTES) {
      const error = kernelErrors.unavailable(
        `${MAX_WAITING_BYTES / MIB} MiB of access logs are waiting to be written; retry later`,
      );
      throw error.retryAfter(1);
    }
    this.#waitingBytes += length;
    try {
      await writer.request({ kind: "append", batch }, [batch]);
    } finally {
      this.#waitingBytes -= length;
    }
  }

  async find(_call: Call, requestId: string): Promise<LogEntry | undefined> {
    const workers = await this.#workers.ready();
    const request = { kind: "find", requestId } as const;
    const { entries: [unsealed] } = unpackFound(await workers.writer.request<FoundBatch>(request));
    if (unsealed !== undefined) return unsealed;
    return unpackFound(await workers.reader.request<FoundBatch>(request)).entries[0];
  }

  async list(call: Call, filter: LogFilter, page: LogPage): Promise<FoundLogs> {
    const workers = await this.#workers.ready();
    const deadline = Date.now() + Math.min(call.deadline - this.#deps.clock.now() - SPARE_TIME, SEARCH_TIME);
    const limits = { deadline, rows: SEARCH_ROWS };
    const request: ListRequest = { kind: "list", filter: plainFilter(filter), page: { ...page }, limits };
    // unsealed rows first: rows sealed meanwhile are then in segments that the reader finds
    const unsealed = unpackFound(await workers.writer.request<FoundBatch>(request));
    const { reader } = workers;
    const response = reader.request<FoundBatch>(request);
    const id = reader.lastId;
    const cancel = () => void reader.request({ kind: "cancel", request: id }).catch(() => {});
    call.signal.addEventListener("abort", cancel, { once: true });
    try {
      return mergeFound([unsealed, unpackFound(await response)], page);
    } finally {
      call.signal.removeEventListener("abort", cancel);
    }
  }

  async partitions(_call: Call, day: bigint): Promise<readonly bigint[]> {
    const { writer } = await this.#workers.ready();
    const partitions = await writer.request<number[]>({ kind: "partitions", day: Number(day) });
    return partitions.map(BigInt);
  }

  async days(_call: Call): Promise<readonly StoredDay[]> {
    const { writer } = await this.#workers.ready();
    const days = await writer.request<StoredCounts[]>({ kind: "days" });
    return days.map(({ day, rows, bytes }) => ({ day: BigInt(day), rows: BigInt(rows), bytes: BigInt(bytes) }));
  }

  async dropDay(_call: Call, day: bigint): Promise<boolean> {
    const { writer } = await this.#workers.ready();
    return await writer.request<boolean>({ kind: "dropDay", day: Number(day) });
  }

  async removeOfUser(_call: Call, userId: bigint, limit: number): Promise<number> {
    const { writer } = await this.#workers.ready();
    if (userId === 0n) return 0;
    return await writer.request<number>({ kind: "removeOfUser", userId, limit });
  }

  /** Moves all rows from the journal to segments. */
  async sealAll(_call: Call): Promise<void> {
    const { writer } = await this.#workers.ready();
    await writer.request({ kind: "sealAll" });
  }

  /** Stops the workers and releases the lock; acknowledged logs are on disk. */
  async close(): Promise<void> {
    await this.#workers.close();
    this.#lock.release();
  }

  #logDamage({ name, error }: Damage): void {
    if (this.#loggedDamages.has(name)) return;
    this.#loggedDamages.add(name);
    this.#deps.log.error("damaged access log file skipped", { file: name, error });
  }
}

/** Copies the fields of the filter, since an object with more properties may not be transferable to a worker. */
function plainFilter(filter: LogFilter): LogFilter {
  const { from, to, partition, serverId, userId, nodeId, nodeClusterId, hasFirewallPolicy, hasError } = filter;
  const { firewallPolicyId, firewallRuleGroupId, firewallRuleSetId, ip, host, keyword } = filter;
  return {
    ...{ from, to, partition, serverId, userId, nodeId, nodeClusterId, hasFirewallPolicy, hasError },
    ...{ firewallPolicyId, firewallRuleGroupId, firewallRuleSetId, ip, host, keyword },
  };
}
