import Database from "libsql";

/** One domain of so many is that of the user and the cluster by which lists are filtered; so many users there are less. */
export const SHARE = 10;
/** The number of users whose sites sent something in each month. */
export const BILLED_USERS = 10_000;
/** The months that have traffic. */
export const MONTHS = Array.from({ length: 24 }, (_, index) => String(202301 + index + (index >= 12 ? 88 : 0)));
/** The user that lists are filtered by. */
export const USER_ID = 1;

/**
 * Fills a database of a server that is stopped, by SQL, since a million calls would take an hour. Domains interleave, so
 * that those of one user or cluster lie all over the ids. The counts and the search index are made as the plugin makes them.
 */
export function fillDatabase(path: string, domains: number, clusterIds: readonly [number, number]): void {
  const database = new Database(path);
  database.pragma("synchronous = off");
  database.pragma("cache_size = -200000");
  const [firstCluster, secondCluster] = clusterIds;
  const users = domains / SHARE;
  const run = (sql: string) => void database.exec(sql);
  run("begin immediate");
  run(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${users})
    insert into users (id, username, password, fullname, mobile, email, source, isVerified, createdAt)
    select i, 'user' || i, '', 'User ' || i, '', '', '', 1, 1700000000 from n`);
  run(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${domains})
    insert into nsDomains (id, nsClusterId, userId, name, status, createdAt, version)
    select i,
      iif(i % ${SHARE} = 1, ${secondCluster}, ${firstCluster}),
      iif(i % ${SHARE} = 0, 1, i * 7919 % (${users} - 1) + 2),
      ${nameOf("i")}, 'verified', 1700000000, i
    from n`);
  run(`update nsDomains_versions set version = ${domains}`);
  for (const userId of ["0", "userId"]) {
    for (const clusterId of ["0", "nsClusterId"]) {
      for (const bits of [10, 16]) {
        run(`insert into nsDomains_buckets (userId, nsClusterId, nsDomainGroupId, idBits, bucket, status, n)
          select ${userId}, ${clusterId}, 0, ${bits}, id >> ${bits}, status, count(*) from nsDomains group by 1, 2, 5, 6`);
      }
    }
  }
  run(`insert into nsDomains_search (rowid, name) select id, name from nsDomains order by id`);
  run(`update nsDomains_searchState set indexedId = ${domains}`);
  for (const month of MONTHS) {
    run(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${BILLED_USERS})
      insert into serverDailyStats (serverId, day, nodeRegionId, userId, bytes, cachedBytes, countRequests,
        countCachedRequests, countAttackRequests, attackBytes, countIPs)
      select i, ${month}15, 0, i, i * 1000000, 0, i, 0, 0, 0, 1 from n`);
  }
  run("commit");
  run("analyze");
  database.pragma("wal_checkpoint(truncate)");
  database.close();
}

/** The name of the nth domain, as SQL: `shop-7.example.com`; every seventh is a shop. */
function nameOf(index: string): string {
  const words = 'json_extract(\'["shop","blog","mail","cdn","news","play","bank"]\', \'$[\' || (i % 7) || \']\')';
  return `${words} || '-' || ${index} || '.example.com'`;
}
