import type { Clock, Logger } from "edgehelm";
import type { HTTPAccessLogConfig } from "./proto/config_pb.ts";
import type { LogHost, OpenLogStore } from "./log_host.ts";
import type { LogStore } from "./log_store.ts";

const PARTITION_ROWS = 500_000n;

export interface StoreChoice {
  readonly config: HTTPAccessLogConfig;
  /** Undefined on the edge, which has no file system. */
  readonly host: LogHost | undefined;
  /** True if other instances may use the same database. */
  readonly isShared: boolean;
  readonly clock: Clock;
  readonly log: Logger;
  /** Creates the store in the installation's database. */
  readonly rows: (partitionRows: bigint) => LogStore;
}

/**
 * Opens the store that the configuration names. The default is segments if the database is local, and rows otherwise.
 *
 * @throws Error if the configured store is unknown or not available here
 */
export function openStore({ config, host, isShared, clock, log, rows }: StoreChoice): OpenLogStore {
  const partitionRows = config.partitionRows > 0n ? config.partitionRows : PARTITION_ROWS;
  const factories = host?.stores ?? {};
  const { name, reason } = storeName(config.store, factories.segments !== undefined, isShared);
  log.info("access log store chosen", { store: name, reason });
  if (name === "rows") return { store: rows(partitionRows), close: () => Promise.resolve() };
  const open = factories[name];
  if (host === undefined) throw new Error(`store: "${name}" is not available on the edge: use "rows"`);
  if (open === undefined) throw new Error(`store: "${name}" needs the setting "${name}" of this plugin`);
  return open({ clock, log, partitionRows });
}

type StoreName = "rows" | "segments" | "clickhouse";

function storeName(configured: string, hasSegments: boolean, isShared: boolean): { name: StoreName; reason: string } {
  switch (configured) {
    case "rows":
    case "clickhouse":
      return { name: configured, reason: "set in the configuration" };
    case "segments":
      if (isShared) {
        throw new Error(
          'store: "segments" needs a local database, and this one may be shared: use "rows" or "clickhouse"',
        );
      }
      return { name: configured, reason: "set in the configuration" };
    case "":
      if (isShared) return { name: "rows", reason: "the database may be shared" };
      if (!hasSegments) return { name: "rows", reason: "there is no file system" };
      return { name: "segments", reason: "the database is local to this machine" };
    default:
      throw new Error(`store: must be "segments", "rows" or "clickhouse", got "${configured}"`);
  }
}
