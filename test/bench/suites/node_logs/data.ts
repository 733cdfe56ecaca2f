import Database from "libsql";

const [NODES, DNS_NODES] = [199, 23];
const SITES = 4999;
/** Seconds over which the logs are spread: shortly less than logs of the level info are kept. */
const SPAN = 60 * 3600;
const WORDS = '["listen","origin","cache","timeout","refused","upstream","reload","certificate","script","disk"]';

/** The parts of the logs that the bench asks for. */
export interface FilledLogs {
  readonly rows: number;
  /** A node, a site and an origin that have logs. */
  readonly nodeId: number;
  readonly serverId: number;
  readonly originId: number;
}

function fill(path: string, statements: (run: (sql: string) => void, database: Database.Database) => void): void {
  const database = new Database(path);
  for (const pragma of ["synchronous = off", "cache_size = -400000", "temp_store = memory"]) database.pragma(pragma);
  database.exec("begin immediate");
  statements((sql) => void database.exec(sql), database);
  database.exec("commit");
  database.pragma("wal_checkpoint(truncate)");
  database.close();
}

function numbers(rows: number): string {
  return `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})`;
}

function wordAt(index: string): string {
  return `json_extract('${WORDS}', '$[' || (${index} % 10) || ']')`;
}

/**
 * Fills the node logs of a server that is stopped, by SQL: logs of 199 edge nodes and 23 DNS nodes, in the order of
 * time, a sixth of which say what others say. Counts and search index are made as the plugin makes them.
 */
export function fillLogs(path: string, rows: number, now: number): FilledLogs {
  const series = numbers(rows);
  const level = `iif(i % 20 < 12, 'info', iif(i % 20 < 13, 'success', iif(i % 20 < 16, 'warning', 'error')))`;
  fill(path, (run) => {
    run(
      `${series} insert into nodeLogs (role, nodeId, serverId, originId, level, tag, type, description, paramsJSON, hash,
      createdAt, count, isRead, isFixed)
    select iif(i % 11 = 0, 'dns', 'node'), iif(i % 11 = 0, i * 7919 % ${DNS_NODES}, i * 7919 % ${NODES}) + 1,
      iif(i % 7 < 2, i * 31 % ${SITES} + 1, 0), iif(i % 23 = 0, i * 17 % ${SITES} + 1, 0), ${level},
      upper(${wordAt("i")}), '',
      json_extract('${WORDS}', '$[' || (i % 7) || ']') || ' of 192.0.2.' || (i % 250) || ' failed: ' ||
        ${wordAt("i * 13")} || ' number ' || iif(i % 6 = 0, i % 60000, i) ||
        ' after ' || (i * 37 % 5000) || ' ms',
      '', printf('%032x', iif(i % 6 = 0, i % 60000, i) * 7), ${now - SPAN} + i * ${SPAN} / ${rows}, 1,
      ${level} <> 'error' or i % 49 > 0, 0
    from n`,
    );
    const site = [[2, "serverId", 62], [3, "originId", 62]] as const;
    const node = [[1, "nodeId", 62], [1, "nodeId", 16]] as const;
    for (const [scope, id, bits] of [[0, "0", 18], [0, "0", 10], ...node, ...site] as const) {
      run(`insert into nodeLogBuckets select ${scope}, ${id}, ${bits}, id >> ${bits}, role, createdAt / 86400, level,
        serverId > 0, count(*), sum(isRead = 0), 0
      from nodeLogs where ${scope} = 0 or ${id} > 0 group by 2, 4, 5, 6, 7, 8`);
    }
    run(`insert into nodeLogSearch (rowid, tag, description) select id, tag, description from nodeLogs order by id`);
    run(`update nodeLogSearchState set indexedId = (select max(id) from nodeLogs)`);
  });
  return { rows, nodeId: 8, serverId: 125, originId: 341 };
}

/** The same for audit logs, over the same time: of admins and, a third, of users. */
export function fillAuditLogs(path: string, rows: number, now: number): void {
  const [series, thing] = [numbers(rows), wordAt("i * 3")];
  fill(path, (run, database) => {
    // counting in one statement is quicker than row by row
    const triggers = database.prepare(
      "select sql from sqlite_master where name in ('logs_inserted', 'logs_list_inserted')",
    );
    const created = (triggers.all() as { sql: string }[]).map(({ sql }) => sql);
    run("drop trigger logs_inserted");
    run("drop trigger logs_list_inserted");
    run(
      `${series} insert into logs (level, action, description, ip, adminId, userId, createdAt)
      select iif(i % 20 < 15, 'info', iif(i % 20 < 18, 'warn', 'error')),
        '/' || ${thing} || 's/' || (i * 31 % ${SITES}),
        'changed the ' || ${wordAt("i")} || ' of site ' || (i * 7919 % ${SITES}) || ': ' || ${wordAt("i * 13 / 10")} ||
          ' is now number ' || i || ' of all',
        '192.0.2.' || (i % 250), iif(i % 3 = 0, 0, i % 7 + 1), iif(i % 3 = 0, i * 17 % 9973 + 1, 0),
        ${now - SPAN} + i * ${SPAN} / ${rows}
      from n`,
    );
    run("update logTotals set count = (select count(*) from logs), bytes = (select coalesce(sum(bytes), 0) from logs)");
    for (const bits of [16, 10]) {
      run(`insert into logs_buckets (idBits, bucket, level, userType, day, n)
        select ${bits}, id >> ${bits}, level, userType, createdAt / 86400, count(*) from logs group by 2, 3, 4, 5`);
    }
    for (const sql of created) run(sql);
    run(`insert into logs_search (rowid, action, description, ip)
      select id, action, description, ip from logs order by id`);
    run("update logs_searchState set indexedId = (select max(id) from logs)");
  });
}
