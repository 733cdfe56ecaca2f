import { type Kysely, sql } from "kysely";

/** Each column with listen settings, its protocol and its transport. */
const LISTENERS = [
  ["httpJSON", "http", "tcp"],
  ["httpsJSON", "https", "tcp"],
  ["tcpJSON", "tcp", "tcp"],
  ["tlsJSON", "tls", "tcp"],
  ["udpJSON", "udp", "udp"],
] as const;

/** Returns a statement that records the ports of live servers, except 80 for HTTP and 443 for HTTPS, which all share. */
function recordPorts(row: string, from: string): string {
  const selects = LISTENERS.map(([column, protocol, transport]) => {
    const json = `case when length(${row}.${column}) = 0 then '{}' else cast(${row}.${column} as text) end`;
    return `select ${row}.nodeClusterId, '${transport}', coalesce(item.value ->> 'minPort', 0),
      coalesce(item.value ->> 'maxPort', 0), '${protocol}', ${row}.id
      from ${from}json_each(${json}, '$.listen') as item where ${row}.state = 1
      and not ('${protocol}' in ('http', 'https') and item.value ->> 'minPort' = item.value ->> 'maxPort'
        and item.value ->> 'minPort' = iif('${protocol}' = 'http', 80, 443))`;
  });
  return `insert into serverPorts (nodeClusterId, transport, minPort, maxPort, protocol, serverId)
    ${selects.join("\nunion all ")}`;
}

/** The ports on which servers listen, kept by triggers: what a user may not take. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`
    create table serverPorts (
      nodeClusterId integer not null,
      transport text not null,
      minPort integer not null,
      maxPort integer not null,
      protocol text not null,
      serverId integer not null
    ) strict`.execute(db);
  await sql`create index serverPorts_cluster on serverPorts (nodeClusterId, transport, maxPort)`.execute(db);
  await sql`create index serverPorts_server on serverPorts (serverId)`.execute(db);
  await sql.raw(recordPorts("servers", "servers, ")).execute(db);
  await sql.raw(`create trigger serverPorts_insert after insert on servers begin ${recordPorts("new", "")}; end`)
    .execute(db);
  const columns = [...LISTENERS.map(([column]) => column), "nodeClusterId", "state"].join(", ");
  await sql.raw(
    `create trigger serverPorts_update after update of ${columns} on servers begin
      delete from serverPorts where serverId = old.id; ${recordPorts("new", "")}; end`,
  ).execute(db);
}
