import type { ClickHouse } from "./client.ts";

export const LOGS = "edgehelmAccessLogs";
/** The users whose logs are hidden until the server has deleted them. */
export const REMOVED_USERS = "edgehelmAccessLogRemovedUsers";
const VERSIONS = "edgehelmAccessLogVersions";

const SECONDS = 30;

/**
 * The idempotent statements that migrate the schema to each version. Released steps never change. If a request id was
 * inserted twice at the same time, the server later merges the rows into the one with the highest rank, which was
 * first. Small granules make reading single rows cheap.
 */
const STEPS: readonly (readonly string[])[] = [
  [
    `create table if not exists ${LOGS} (
      day UInt32, part UInt32, requestId String, rank UInt64,
      serverId Int64, userId Int64, nodeId Int64, nodeClusterId Int64, status Int32,
      firewallPolicyId Int64, firewallRuleGroupId Int64, firewallRuleSetId Int64,
      ipKey String, remoteAddr String, host String, scheme String, proto String, requestMethod String,
      requestURI String, requestPath String, referer String, userAgent String, tags Array(String),
      log String, requestBody String
    ) engine = ReplacingMergeTree(rank) partition by day order by requestId settings index_granularity = 1024`,
    `create table if not exists ${REMOVED_USERS} (userId Int64)
      engine = ReplacingMergeTree partition by tuple() order by userId`,
  ],
];

/**
 * Migrates the tables to the current version.
 *
 * @throws Error if the tables have a newer version
 */
export async function migrate(server: ClickHouse): Promise<void> {
  await server.command(`create table if not exists ${VERSIONS} (version UInt32)
    engine = ReplacingMergeTree partition by tuple() order by version`);
  const [[newest]] = await server.rows<[number]>(`select max(version) from ${VERSIONS}`, SECONDS) as [[number]];
  if (newest > STEPS.length) {
    throw new Error(
      `the access logs in ClickHouse have version ${newest}; this release supports up to ${STEPS.length}`,
    );
  }
  for (const [index, statements] of STEPS.entries()) {
    if (index < newest) continue;
    for (const statement of statements) await server.command(statement);
    await server.insert(VERSIONS, [{ version: index + 1 }]);
  }
}
