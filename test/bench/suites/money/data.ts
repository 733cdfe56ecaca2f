import { join } from "node:path";
import Database from "libsql";

/** The month that has statistics for each of its days. */
export const MONTH = "202604";
const DAYS = 30;

/** Fills a database that no process has open: one site for each user, which had traffic on each day of the month. */
export function fillDatabase(directory: string, users: number): void {
  const database = new Database(join(directory, "edgehelm.db"));
  database.pragma("synchronous = off");
  database.pragma("cache_size = -200000");
  const numbers = (count: number) =>
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`;
  const run = (sql: string) => void database.exec(sql);
  run("begin immediate");
  run(
    `${
      numbers(users)
    } insert into users (id, username, password, fullname, mobile, email, source, isVerified, createdAt)
    select i, 'user' || i, '', 'User ' || i, '', '', '', 1, 1700000000 from n`,
  );
  run(
    `${
      numbers(users)
    } insert into servers (id, userId, nodeClusterId, type, family, name, description, countServerNames,
      firstServerName, createdAt, version, searchText, serverNamesJSON, httpJSON, httpsJSON, tcpJSON, tlsJSON, udpJSON,
      reverseProxyJSON, includeNodesJSON, excludeNodesJSON)
    select i, i, 1, 'httpProxy', 'http', 'site ' || i, '', 0, '', 1700000000, i, '', ${
      Array(9).fill("x'5b5d'").join(", ")
    }
    from n`,
  );
  run(`${numbers(users)} insert into serverDailyStats (serverId, day, nodeRegionId, userId, bytes, cachedBytes,
      countRequests, countCachedRequests, countAttackRequests, attackBytes, countIPs)
    select i, ${MONTH}00 + day.value, 0, i, i * 1000000, 0, i, 0, 0, 0, 1
    from n, (${numbers(DAYS)} select i as value from n) as day`);
  run("commit");
  run("analyze");
  database.pragma("wal_checkpoint(truncate)");
  database.close();
}
