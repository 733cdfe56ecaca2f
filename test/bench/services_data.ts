import Database from "libsql";

export const DOMAINS = 1_000_000;
export const USERS = 100_000;
/** How many domains the user and the cluster have by which lists are filtered. */
export const OF_ONE = 100_000;
/** How many users' sites sent something in the month that is billed. */
export const BILLED_USERS = 10_000;
/** The day of which the traffic is: within a month that is over. */
export const TRAFFIC_DAY = "20240115";

/** Which clusters and user have what. */
export interface Filled {
  readonly clusterIds: readonly number[];
  readonly userId: number;
}

/**
 * Fills a database of a server that is stopped, by SQL, since a million calls would take an hour. Domains interleave, so
 * that those of one user or cluster lie all over the ids. The counts and the search index are made as the plugin makes
 * them: 100000 domains are user 1's, 100000 others stand on the second cluster.
 */
export function fillDatabase(path: string, clusterIds: readonly [number, number]): Filled {
  const database = new Database(path);
  database.pragma("synchronous = off");
  database.pragma("cache_size = -200000");
  const [firstCluster, secondCluster] = clusterIds;
  const every = DOMAINS / OF_ONE;
  const run = (sql: string) => void database.exec(sql);
  run("begin immediate");
  run(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${USERS})
    insert into users (id, username, password, fullname, mobile, email, source, isVerified, createdAt)
    select i, 'user' || i, '', 'User ' || i, '', '', '', 1, 1700000000 from n`);
  run(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${DOMAINS})
    insert into nsDomains (id, nsClusterId, userId, name, status, createdAt, version)
    select i,
      iif(i % ${every} = 1, ${secondCluster}, ${firstCluster}),
      iif(i % ${every} = 0, 1, i * 7919 % (${USERS} - 1) + 2),
      ${nameOf("i")}, 'verified', 1700000000, i
    from n`);
  run(`update nsDomainVersions set version = ${DOMAINS}`);
  for (const userId of ["0", "userId"]) {
    for (const clusterId of ["0", "nsClusterId"]) {
      for (const bits of [10, 16]) {
        run(`insert into nsDomainBuckets (userId, nsClusterId, nsDomainGroupId, idBits, bucket, status, n)
          select ${userId}, ${clusterId}, 0, ${bits}, id >> ${bits}, status, count(*) from nsDomains group by 1, 2, 5, 6`);
      }
    }
  }
  run(`insert into nsDomainSearch (rowid, name) select id, name from nsDomains order by id`);
  run(`update nsDomainSearchState set indexedId = ${DOMAINS}`);
  run(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${BILLED_USERS})
    insert into serverDailyStats (serverId, day, nodeRegionId, userId, bytes, cachedBytes, countRequests,
      countCachedRequests, countAttackRequests, attackBytes, countIPs)
    select i, ${TRAFFIC_DAY}, 0, i, i * 1000000, 0, i, 0, 0, 0, 1 from n`);
  run("commit");
  run("analyze");
  database.pragma("wal_checkpoint(truncate)");
  database.close();
  return { clusterIds, userId: 1 };
}

/** The name of the nth domain, as SQL; words repeat, numbers do not. */
function nameOf(index: string): string {
  const words = 'json_extract(\'["shop","blog","mail","cdn","news","play","bank"]\', \'$[\' || (i % 7) || \']\')';
  return `${words} || '-' || ${index} || '.example-' || (${index} % 97) || '.com'`;
}

/** The name of the nth domain. */
export function domainName(index: number): string {
  const word = ["shop", "blog", "mail", "cdn", "news", "play", "bank"][index % 7];
  return `${word}-${index}.example-${index % 97}.com`;
}
