import type { Call, Clock, Logger } from "edgehelm";
import type { LogStore } from "./log_store.ts";

/** The dependencies of a store outside the database. */
export interface LogStoreDeps {
  readonly clock: Clock;
  readonly log: Logger;
  /** The number of logs in a partition of a day before the next one begins. */
  readonly partitionRows: bigint;
}

/** A store that holds resources until it is closed. */
export interface OpenLogStore {
  readonly store: LogStore;
  /**
   * Returns true if the disk of the store has less free space than its configuration leaves, so that the oldest day must
   * go. Undefined if the store has no disk to watch.
   */
  lacksSpace?(call: Call): Promise<boolean>;
  /** Finishes background work and releases all resources. */
  close(): Promise<void>;
}

/** The host part of a plugin whose store needs a machine. */
export interface LogStoreHost {
  /** An object, because functions of a host part itself take a call. */
  readonly store: { open(deps: LogStoreDeps): OpenLogStore };
}

/** A store that a plugin contributes. */
export interface LogStoreDriver {
  /** The name by which the configuration chooses the store. */
  readonly name: string;
  /**
   * True if the store belongs to one machine, such as files on its disk. It then needs a local database, for which it is
   * the default.
   */
  readonly isLocal: boolean;
  /** Opens the store, at most once. Undefined on the edge, where a store that needs a machine is not available. */
  readonly open: ((partitionRows: bigint) => OpenLogStore) | undefined;
}
