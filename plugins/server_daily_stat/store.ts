import { anyOf, type Call, type Db } from "edgehelm";
import { type Kysely, type Selectable, sql, type SqlBool } from "kysely";

export interface Tables {
  serverDailyStats: Figures & {
    serverId: bigint;
    day: bigint;
    nodeRegionId: bigint;
    userId: bigint;
    countAttackRequests: bigint;
    attackBytes: bigint;
    countIPs: bigint;
  };
  serverFiveMinuteStats: Figures & {
    serverId: bigint;
    day: bigint;
    slot: bigint;
    userId: bigint;
    countAttackRequests: bigint;
  };
  serverTotalStats: Figures & { day: bigint; slot: bigint; countAttackRequests: bigint; attackBytes: bigint };
  /** The sites whose attack was an event, and the beginning of the last five minutes of it. */
  serverAttacks: { serverId: bigint; lastAt: bigint };
}

interface Figures {
  bytes: bigint;
  cachedBytes: bigint;
  countRequests: bigint;
  countCachedRequests: bigint;
}

export type DailyRow = Selectable<Tables["serverDailyStats"]>;
export type SlotRow = Selectable<Tables["serverFiveMinuteStats"]>;
/** The traffic of all servers in five minutes. */
export type TotalRow = Selectable<Tables["serverTotalStats"]>;

/** The filter of queries; 0 matches any, and days are YYYYMMDD as a number. */
export interface Range {
  readonly serverId: bigint;
  readonly userId: bigint;
  readonly nodeRegionId: bigint;
  readonly dayFrom: bigint;
  readonly dayTo: bigint;
}

const DAILY = ["serverId", "day", "nodeRegionId", "userId"] as const;
const SLOT = ["serverId", "day", "slot", "userId"] as const;
const FIGURES = ["bytes", "cachedBytes", "countRequests", "countCachedRequests"] as const;
const SLOT_FIGURES = [...FIGURES, "countAttackRequests"] as const;
const TOTAL = ["day", "slot"] as const;
const TOTAL_FIGURES = [...FIGURES, "countAttackRequests", "attackBytes"] as const;
const DAILY_FIGURES = [...FIGURES, "countAttackRequests", "attackBytes", "countIPs"] as const;

/** The SQL statements of this plugin. */
export function statStore(db: Db<Tables>) {
  const addDaily = db.query((q, p: { rows: string }) =>
    q.insertInto("serverDailyStats").columns([...DAILY, ...DAILY_FIGURES])
      .expression((e) => items(e as never, p.rows, [...DAILY, ...DAILY_FIGURES]) as never)
      .onConflict((conflict) =>
        conflict.columns([...DAILY]).doUpdateSet({
          ...increments(TOTAL_FIGURES),
          countIPs: sql<bigint>`max(countIPs, excluded.countIPs)`,
        })
      )
  );
  const addSlots = db.query((q, p: { rows: string }) =>
    q.insertInto("serverFiveMinuteStats").columns([...SLOT, ...SLOT_FIGURES])
      .expression((e) => items(e as never, p.rows, [...SLOT, ...SLOT_FIGURES]) as never)
      .onConflict((conflict) => conflict.columns([...SLOT]).doUpdateSet(increments(SLOT_FIGURES)))
  );
  const addTotals = db.query((q, p: { rows: string }) =>
    q.insertInto("serverTotalStats").columns([...TOTAL, ...TOTAL_FIGURES])
      .expression((e) => items(e as never, p.rows, [...TOTAL, ...TOTAL_FIGURES]) as never)
      .onConflict((conflict) => conflict.columns([...TOTAL]).doUpdateSet(increments(TOTAL_FIGURES)))
  );
  const days = (q: Kysely<Tables>, p: Range) =>
    q.selectFrom("serverDailyStats").where("day", ">=", p.dayFrom).where("day", "<=", p.dayTo)
      .where(sql<SqlBool>`${p.nodeRegionId} in (0, nodeRegionId)`);
  const ofServer = (q: Kysely<Tables>, p: Range) =>
    days(q, p).where("serverId", "=", p.serverId).where(sql<SqlBool>`${p.userId} in (0, +userId)`);
  const ofUser = (q: Kysely<Tables>, p: Range) => days(q, p).where("userId", "=", p.userId);
  const sums = DAILY_FIGURES.map((column) => sql<bigint>`coalesce(sum(${sql.ref(column)}), 0)`.as(column));

  return {
    daysOfServer: db.query((q, p: Range) => ofServer(q, p).select("day").select(sums).groupBy("day").orderBy("day")),
    daysOfUser: db.query((q, p: Range) => ofUser(q, p).select("day").select(sums).groupBy("day").orderBy("day")),
    sumOfServer: db.query((q, p: Range) => ofServer(q, p).select(sums)),
    sumOfUser: db.query((q, p: Range) => ofUser(q, p).select(sums)),
    slots: db.query((q, p: Range & { slotFrom: bigint; slotTo: bigint }) =>
      q.selectFrom("serverFiveMinuteStats").select(["day", "slot"])
        .select(FIGURES.map((column) => sql<bigint>`sum(${sql.ref(column)})`.as(column)))
        .where("serverId", "=", p.serverId).where(sql<SqlBool>`${p.userId} in (0, +userId)`)
        .where("day", ">=", p.dayFrom).where("day", "<=", p.dayTo)
        .where(sql<SqlBool>`(day, slot) >= (${p.dayFrom}, ${p.slotFrom})`)
        .where(sql<SqlBool>`(day, slot) <= (${p.dayTo}, ${p.slotTo})`)
        .groupBy("day").groupBy("slot").orderBy("day").orderBy("slot")
    ),
    /** Skips from user to user along the index, so that the days of each user are not read. */
    usersWithTraffic: db.query((q, p: { afterUserId: bigint; dayFrom: bigint; dayTo: bigint; limit: number }) =>
      q.withRecursive(
        "u(id)",
        (w) =>
          w.selectFrom("serverDailyStats").select((e) => e.fn.min("userId").as("id")).where(
            "userId",
            ">",
            p.afterUserId,
          )
            .unionAll(
              w.selectFrom("u").select(
                sql<bigint>`(select min(s.userId) from serverDailyStats s where s.userId > u.id)`.as("id"),
              ).where("u.id", "is not", null),
            ),
      )
        .selectFrom("u").select("u.id").where("u.id", "is not", null)
        .where((e) =>
          e.exists(
            e.selectFrom("serverDailyStats as s").select("s.day").whereRef("s.userId", "=", "u.id")
              .where("s.day", ">=", p.dayFrom).where("s.day", "<=", p.dayTo).where("s.bytes", ">", 0n),
          )
        ).limit(p.limit)
    ),
    traffic: db.query((q, p: { userIds: readonly bigint[]; dayFrom: bigint; dayTo: bigint }) =>
      q.selectFrom("serverDailyStats").select(["userId", "serverId", "nodeRegionId as regionId"])
        .select(sql<bigint>`sum(bytes)`.as("bytes"))
        .where("userId", "in", anyOf(p.userIds)).where("day", ">=", p.dayFrom).where("day", "<=", p.dayTo)
        .groupBy("userId").groupBy("serverId").groupBy("nodeRegionId").having(sql<SqlBool>`sum(bytes) > 0`)
    ),
    /** Selects the five-minute sample at `rank` of each server, counted from the highest. */
    ranked: db.query((q, p: { userIds: readonly bigint[]; dayFrom: bigint; dayTo: bigint; rank: number }) =>
      q.with("servers", (w) =>
        w.selectFrom("serverDailyStats").select(["userId", "serverId"]).distinct()
          .where("userId", "in", anyOf(p.userIds)).where("day", ">=", p.dayFrom).where("day", "<=", p.dayTo))
        .with(
          "samples",
          (w) =>
            w.selectFrom("servers").innerJoin(
              "serverFiveMinuteStats as s",
              (on) => on.onRef("s.serverId", "=", "servers.serverId").onRef("s.userId", "=", "servers.userId"),
            )
              .select(["s.serverId", "s.bytes"])
              .select(sql<bigint>`row_number() over (partition by s.serverId order by s.bytes desc)`.as("rank"))
              .where("s.day", ">=", p.dayFrom).where("s.day", "<=", p.dayTo),
        )
        .selectFrom("samples").select(["serverId", "bytes"]).where("rank", "=", sql<bigint>`${p.rank}`)
    ),
    servers: db.query((q, p: { userIds: readonly bigint[]; dayFrom: bigint; dayTo: bigint }) =>
      q.selectFrom("serverDailyStats").select("serverId").distinct().where("userId", "in", anyOf(p.userIds))
        .where("day", ">=", p.dayFrom).where("day", "<=", p.dayTo)
    ),
    totals: db.query((q, p: { dayFrom: bigint; dayTo: bigint }) =>
      q.selectFrom("serverTotalStats").selectAll().where("day", ">=", p.dayFrom).where("day", "<=", p.dayTo)
    ),
    removeSomeTotals: db.query((q, p: { before: bigint; limit: number }) =>
      q.deleteFrom("serverTotalStats").where(
        sql<SqlBool>`(day, slot) in (select day, slot from serverTotalStats where day < ${p.before} limit ${p.limit})`,
      )
    ),
    removeSome: db.query((q, p: { before: bigint; limit: number }) =>
      q.deleteFrom("serverFiveMinuteStats").where(
        sql<SqlBool>`(serverId, day, slot, userId) in (
          select serverId, day, slot, userId from serverFiveMinuteStats where day < ${p.before} limit ${p.limit})`,
      )
    ),

    async add(
      call: Call,
      { daily, slots, totals }: Readonly<
        { daily: readonly DailyRow[]; slots: readonly SlotRow[]; totals: readonly TotalRow[] }
      >,
    ): Promise<void> {
      await addDaily.run(call, { rows: jsonRows(daily) });
      await addSlots.run(call, { rows: jsonRows(slots) });
      await addTotals.run(call, { rows: jsonRows(totals) });
    },
  };
}

export type StatStore = ReturnType<typeof statStore>;

function items(e: Kysely<Tables>, rows: string, columns: readonly string[]) {
  return e.selectFrom(sql<{ value: string }>`json_each(${rows})`.as("item"))
    .select(columns.map((column) => sql<bigint>`item.value ->> ${sql.lit(column)}`.as(column)))
    // without a where clause, SQLite would parse "on" as a join constraint
    .where(sql<SqlBool>`true`);
}

function increments<Column extends string>(columns: readonly Column[]) {
  const entries = columns.map((column) => [column, sql<bigint>`${sql.ref(column)} + excluded.${sql.ref(column)}`]);
  return Object.fromEntries(entries) as Record<Column, ReturnType<typeof sql<bigint>>>;
}

/** Serializes bigints as JSON numbers, which JSON.stringify does not support. */
function jsonRows(rows: readonly (DailyRow | SlotRow | TotalRow)[]): string {
  const members = (row: object) => Object.entries(row).map(([name, value]) => `"${name}":${value}`).join(",");
  return `[${rows.map((row) => `{${members(row)}}`).join(",")}]`;
}
