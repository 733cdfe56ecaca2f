import type { Clock, Logger } from "edgehelm";
import type { HTTPAccessLogConfig } from "./proto/config_pb.ts";
import type { LogHost, OpenLogStore } from "./log_host.ts";
import type { LogStore } from "./log_store.ts";

const PARTITION_ROWS = 500_000n;

export interface StoreChoice {
  readonly config: HTTPAccessLogConfig;
  /** Undefined where there is no machine to use. */
  readonly host: LogHost | undefined;
  /** Whether other instances may stand on the same database. */
  readonly isShared: boolean;
  readonly clock: Clock;
  readonly log: Logger;
  /** The store in the installation's database. */
  readonly rows: (partitionRows: bigint) => LogStore;
}

/**
 * Opens the store that the configuration names, or else the best one that is there.
 *
 * @throws Error when the configuration names one that cannot be had
 */
export function openStore({ config, host, isShared, clock, log, rows }: StoreChoice): OpenLogStore {
  const partitionRows = config.partitionRows > 0n ? config.partitionRows : PARTITION_ROWS;
  const makers = host?.stores ?? {};
  const { name, why } = storeName(config.store, makers.segments !== undefined, isShared);
  log.info("access logs have their store", { store: name, why });
  if (name === "rows") return { store: rows(partitionRows), close: () => Promise.resolve() };
  const make = makers[name];
  if (host === undefined) throw new Error(`store: "${name}" needs a machine to run on: use "rows"`);
  if (make === undefined) throw new Error(`store: "${name}" needs the setting "${name}" of this plugin`);
  return make({ clock, log, partitionRows });
}

type StoreName = "rows" | "segments" | "clickhouse";

function storeName(wanted: string, hasSegments: boolean, isShared: boolean): { name: StoreName; why: string } {
  switch (wanted) {
    case "rows":
    case "clickhouse":
      return { name: wanted, why: "the configuration names it" };
    case "segments":
      if (isShared) {
        throw new Error(
          'store: "segments" lie on one machine, and others may use this database: use "rows" or "clickhouse"',
        );
      }
      return { name: wanted, why: "the configuration names it" };
    case "":
      if (isShared) return { name: "rows", why: "other machines may use the same database" };
      if (!hasSegments) return { name: "rows", why: "there is no machine to keep files on" };
      return { name: "segments", why: "this machine has the database for itself" };
    default:
      throw new Error(`store: must be "segments", "rows" or "clickhouse", got "${wanted}"`);
  }
}
