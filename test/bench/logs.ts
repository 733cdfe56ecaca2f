import { benchLogPeers } from "./logs_peers.ts";
import { benchLogsApi } from "./logs_api.ts";
import { benchLogStore } from "./logs_store.ts";

/**
 * Access logs in segments: intake, then pages of a day of so many rows, then both at once; the same rows in tables of the
 * installation's database and in DuckDB; and logs through the API of a server.
 */
export async function benchLogs(rounds: number, milliseconds: number, rows: number): Promise<Record<string, number>> {
  const store = await benchLogStore(rounds, milliseconds, rows);
  const peers = await benchLogPeers(rows);
  const api = await benchLogsApi(rounds, rows);
  return { ...store, ...peers, ...api };
}
