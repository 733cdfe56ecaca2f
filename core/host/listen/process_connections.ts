import type { Limits } from "../../base/limits.ts";
import type { Logger } from "../../base/log.ts";
import type { ConnectionPool } from "../../net/connection_pool.ts";
import { connectionsFor, filesFor, openFileCount, openFileLimit } from "../settings/open_files.ts";

/**
 * Returns the connections that the process can hold. Call it when everything but the listeners is open.
 *
 * @throws StartupError if they are too few to serve
 */
export function openConnectionPool({ httpConnections, grpcConnections }: Limits, log: Logger): ConnectionPool {
  const openFiles = openFileLimit();
  const pool = connectionsFor(openFiles, openFileCount());
  const wanted = httpConnections + grpcConnections;
  if (pool.max < wanted / 2) {
    const advice = `raise the limit of open files to ${filesFor(wanted)}, or lower limits.httpConnections and ` +
      "limits.grpcConnections";
    log.warn("the limit of open files allows few connections", { openFiles, connections: pool.max, wanted, advice });
  }
  return pool;
}
