import { type Call, type Clock, kernelErrors, type Logger } from "edgehelm";
import type { FoundLogs, LogEntry, LogFilter, LogPage, LogStore, StoredDay } from "../../log_store.ts";
import { encodeBatch } from "../../segments/batch.ts";
import { mergeFound, unpackFound } from "./found.ts";
import type { Damage } from "./directory.ts";
import { KeptWorkers } from "./kept_workers.ts";
import { DirectoryLock } from "./lock.ts";
import type { FoundBatch, ListRequest, SearchBounds, SegmentOptions, StoredCounts } from "./messages.ts";
import { type StartWorker, startWorker } from "./worker_client.ts";

const MIB = 1024 * 1024;
/** Bytes of logs that may wait to become durable; more are refused. */
const MAX_WAITING = 64 * MIB;
/** How long a search goes on, in milliseconds, and how many rows it looks at. */
const SEARCH_TIME = 5000;
const SEARCH_ROWS = 100_000_000;
/** Milliseconds before the call's deadline, so that what was found still arrives. */
const SPARE_TIME = 250;

/** What a store needs beside its directory. */
export interface SegmentDeps {
  /** By which the deadlines of calls are. */
  readonly clock: Clock;
  readonly log: Logger;
  /** Starts its threads; as this runtime does, unless told. */
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

/** Logs in files of their own, which workers write and read. */
export class SegmentStore implements LogStore {
  readonly #lock: DirectoryLock;
  readonly #workers: KeptWorkers;
  readonly #surroundings: SegmentDeps;
  /** Damaged files that were logged. */
  readonly #told = new Set<string>();
  #waitingBytes = 0;

  /** @throws when another process holds the directory */
  constructor(
    options: Partial<SegmentOptions> & Pick<SegmentOptions, "directory">,
    surroundings: SegmentDeps,
  ) {
    this.#surroundings = surroundings;
    this.#lock = new DirectoryLock(options.directory);
    this.#workers = new KeptWorkers({
      options: { ...SEGMENT_DEFAULTS, ...options },
      start: surroundings.startWorker ?? startWorker,
      damage: (damage) => this.#tellDamage(damage),
    }, surroundings.log);
  }

  async append(_call: Call, entries: readonly LogEntry[]): Promise<void> {
    const { writer } = await this.#workers.ready();
    if (entries.length === 0) return;
    const batch = encodeBatch(entries).buffer;
    const { byteLength: length } = batch;
    if (this.#waitingBytes > 0 && this.#waitingBytes + length > MAX_WAITING) {
      const error = kernelErrors.unavailable(`${MAX_WAITING / MIB} MiB of access logs wait to be kept; try again`);
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
    const deadline = Date.now() + Math.min(call.deadline - this.#surroundings.clock.now() - SPARE_TIME, SEARCH_TIME);
    const bounds: SearchBounds = { deadline, rows: SEARCH_ROWS };
    const request: ListRequest = { kind: "list", filter: plain(filter), page: { ...page }, bounds };
    // first what is not sealed: rows that are sealed meanwhile are then in segments that the reader knows
    const unsealed = unpackFound(await workers.writer.request<FoundBatch>(request));
    const { reader } = workers;
    const answer = reader.request<FoundBatch>(request);
    const number = reader.lastId;
    const cancel = () => void reader.request({ kind: "cancel", request: number }).catch(() => {});
    call.signal.addEventListener("abort", cancel, { once: true });
    try {
      return mergeFound([unsealed, unpackFound(await answer)], page);
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

  /** Brings everything out of the journal into segments. */
  async sealAll(_call: Call): Promise<void> {
    const { writer } = await this.#workers.ready();
    await writer.request({ kind: "sealAll" });
  }

  /** Ends the workers. What was acknowledged is in the files. */
  async close(): Promise<void> {
    await this.#workers.close();
    this.#lock.release();
  }

  #tellDamage({ name, fault }: Damage): void {
    if (this.#told.has(name)) return;
    this.#told.add(name);
    this.#surroundings.log.error("a file of the access logs is damaged and left out", { file: name, fault });
  }
}

/** The filter alone, since more than it has cannot always be sent to a worker. */
function plain(filter: LogFilter): LogFilter {
  const { from, to, partition, serverId, userId, nodeId, nodeClusterId, hasFirewallPolicy, hasError } = filter;
  const { firewallPolicyId, firewallRuleGroupId, firewallRuleSetId, ip, host, keyword } = filter;
  return {
    ...{ from, to, partition, serverId, userId, nodeId, nodeClusterId, hasFirewallPolicy, hasError },
    ...{ firewallPolicyId, firewallRuleGroupId, firewallRuleSetId, ip, host, keyword },
  };
}
