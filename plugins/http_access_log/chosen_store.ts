import type { Call, Logger } from "edgehelm";
import type { LogStore } from "./contract/log_store.ts";
import type { LogStoreDriver, OpenLogStore } from "./contract/store_driver.ts";
import type { HTTPAccessLogConfig } from "./proto/config_pb.ts";
import { chooseStore } from "./store_choice.ts";

const PARTITION_ROWS = 500_000n;

/** The chosen store. It opens when all plugins are set up, since other plugins contribute stores. */
export class ChosenStore implements LogStore {
  #opened: OpenLogStore | undefined;

  /** @throws Error if the configured store is unknown, needs another plugin, or is not available here */
  open(
    { store, partitionRows }: HTTPAccessLogConfig,
    drivers: readonly LogStoreDriver[],
    isShared: boolean,
    log: Logger,
  ): void {
    const { name, reason, open } = chooseStore(store, drivers, isShared);
    log.info("access log store chosen", { store: name, reason });
    this.#opened = open(partitionRows > 0n ? partitionRows : PARTITION_ROWS);
  }

  append: LogStore["append"] = (call, entries) => this.#store.append(call, entries);
  find: LogStore["find"] = (call, requestId) => this.#store.find(call, requestId);
  list: LogStore["list"] = (call, filter, page) => this.#store.list(call, filter, page);
  partitions: LogStore["partitions"] = (call, day) => this.#store.partitions(call, day);
  days: LogStore["days"] = (call) => this.#store.days(call);
  dropDay: LogStore["dropDay"] = (call, day) => this.#store.dropDay(call, day);
  removeOfUser: LogStore["removeOfUser"] = (call, userId, limit) => this.#store.removeOfUser(call, userId, limit);

  /** Returns true if the disk of the store has less free space than its configuration leaves. */
  async lacksSpace(call: Call): Promise<boolean> {
    return await this.#opened?.lacksSpace?.(call) ?? false;
  }

  async close(): Promise<void> {
    await this.#opened?.close();
  }

  get #store(): LogStore {
    if (this.#opened === undefined) throw new Error("the store of access logs is not open");
    return this.#opened.store;
  }
}
