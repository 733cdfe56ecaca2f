import { benchLogPeers } from "./logs_peers.ts";
import { benchLogStore } from "./logs_store.ts";

/**
 * Access logs in segments: intake, then pages of a day of so many rows, then both at once; and the same rows in tables
 * of the installation's database and in DuckDB.
 */
export async function benchLogs(rounds: number, milliseconds: number, rows: number): Promise<Record<string, number>> {
  const store = await benchLogStore(rounds, milliseconds, rows);
  const peers = await benchLogPeers(Math.min(rows, 100_000));
  return { ...store, ...peers };
}
