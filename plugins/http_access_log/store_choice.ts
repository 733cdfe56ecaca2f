import type { LogStoreDriver } from "./contract/store_driver.ts";

export const ROWS = "rows";
/** The plugins of this project that contribute a store, by the name of the store. */
const PLUGINS = new Map([["segments", "access_log_segments"], ["clickhouse", "access_log_clickhouse"]]);

export interface StoreChoice {
  readonly name: string;
  readonly reason: string;
  readonly open: NonNullable<LogStoreDriver["open"]>;
}

/**
 * Chooses the store that the configuration names. The default is a local store if there is one and the database is
 * local, and rows otherwise.
 *
 * @param drivers all stores, including "rows"
 * @param isShared true if other instances may use the same database
 * @throws Error if the configured store is unknown, needs another plugin, or is not available here
 */
export function chooseStore(configured: string, drivers: readonly LogStoreDriver[], isShared: boolean): StoreChoice {
  const { name, reason } = configured === ""
    ? defaultStore(drivers, isShared)
    : { name: configured, reason: "set in the configuration" };
  const driver = drivers.find((driver) => driver.name === name);
  if (driver === undefined) throw unknownStore(name, drivers);
  const { isLocal, open } = driver;
  if (isLocal && isShared) {
    throw new Error(`store: "${name}" needs a local database, and this one may be shared: use "rows" or "clickhouse"`);
  }
  if (open === undefined) throw new Error(`store: "${name}" is not available on the edge: use "rows"`);
  return { name, reason, open };
}

function defaultStore(drivers: readonly LogStoreDriver[], isShared: boolean) {
  if (isShared) return { name: ROWS, reason: "the database may be shared" };
  const local = drivers.filter(({ isLocal }) => isLocal);
  const available = local.find(({ open }) => open !== undefined);
  if (available !== undefined) return { name: available.name, reason: "the database is local to this machine" };
  return {
    name: ROWS,
    reason: local.length > 0 ? "there is no file system" : "no plugin with a local store is enabled",
  };
}

function unknownStore(name: string, drivers: readonly LogStoreDriver[]): Error {
  const plugin = PLUGINS.get(name);
  if (plugin !== undefined) {
    return new Error(`store: "${name}" needs the plugin "${plugin}": enable it in the installation manifest`);
  }
  const names = new Set([...drivers.map((driver) => driver.name), ...PLUGINS.keys()]);
  const list = [...names].map((one) => `"${one}"`);
  return new Error(`store: must be ${list.slice(0, -1).join(", ")} or ${list.at(-1)}, got "${name}"`);
}
