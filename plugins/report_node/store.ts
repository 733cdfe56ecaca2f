import { anyOf, containing, type Db, type DefaultFlag, liveRows, memoizeByShape, type Page, rowCount } from "edgehelm";
import { type Generated, type Kysely, type Selectable, sql, type SqlBool } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  reportNodes: {
    id: Generated<bigint>;
    uniqueId: string;
    /** Sealed. */
    secret: string;
    name: string;
    location: string;
    isp: string;
    /** A JSON list. */
    allowIPs: string;
    isOn: DefaultFlag;
    isActive: DefaultFlag;
    statusJSON: Uint8Array | null;
    statusIP: Generated<string>;
    statusLocation: Generated<string>;
    statusISP: Generated<string>;
    statusUpdatedAt: Generated<bigint>;
    /** A JSON list; reportNodeGroupLinks has the same, the other way around. */
    groupIds: string;
    createdAt: bigint;
    state: Generated<bigint>;
  };
  reportNodeGroupLinks: { reportNodeGroupId: bigint; reportNodeId: bigint };
  reportNodeSettings: { id: bigint; settingJSON: Uint8Array };
  reportNodeNotices: { addrId: bigint; toldAt: bigint };
}

export type ReportNodeRow = Selectable<Tables["reportNodes"]>;
export type NodeFields = Pick<ReportNodeRow, "name" | "location" | "isp" | "allowIPs" | "groupIds">;

/** Which report nodes a list or a count takes; 0 and "" stand for any. */
export interface Filter {
  readonly keyword: string;
  readonly reportNodeGroupId: bigint;
}

type Values = Filter & Page & { readonly pattern: string };

const isLive = sql<SqlBool>`reportNodes.state = 1`;

/** All SQL of this plugin. */
export function reportNodeStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("reportNodes").selectAll().where(isLive);
  const update = (q: Kysely<Tables>, id: bigint) => q.updateTable("reportNodes").where("id", "=", id).where(isLive);
  const matching = (q: Kysely<Tables>, p: Values, { keyword, reportNodeGroupId }: Filter) =>
    q.selectFrom("reportNodes").where(isLive)
      .$if(
        reportNodeGroupId !== 0n,
        (one) =>
          one.where("id", "in", (links) =>
            links.selectFrom("reportNodeGroupLinks").select("reportNodeId")
              .where("reportNodeGroupId", "=", p.reportNodeGroupId)),
      )
      .$if(
        keyword !== "",
        (one) =>
          one.where(sql<SqlBool>`(name like ${p.pattern} escape '\\' or location like ${p.pattern} escape '\\'
          or isp like ${p.pattern} escape '\\' or allowIPs like ${p.pattern} escape '\\'
          or statusIP like ${p.pattern} escape '\\')`),
      );
  const statementsFor = memoizeByShape(
    ({ keyword, reportNodeGroupId }: Filter) => [keyword !== "", reportNodeGroupId !== 0n],
    (filter) => ({
      list: db.query((q, p: Values) =>
        matching(q, p, filter).selectAll().orderBy("isActive").orderBy("id", "desc").limit(p.size).offset(p.offset)
      ),
      count: db.query((q, p: Values) => matching(q, p, filter).select(rowCount)),
    }),
  );

  return {
    ...liveRows(db, "reportNodes", errors.not_found),
    insert: db.query((q, p: NodeFields & Pick<ReportNodeRow, "uniqueId" | "secret" | "createdAt">) =>
      q.insertInto("reportNodes").values({
        uniqueId: p.uniqueId,
        secret: p.secret,
        name: p.name,
        location: p.location,
        isp: p.isp,
        allowIPs: p.allowIPs,
        groupIds: p.groupIds,
        createdAt: p.createdAt,
      }).returning("id")
    ),
    update: db.query((q, p: NodeFields & { id: bigint; isOn: boolean }) =>
      update(q, p.id).set({
        name: p.name,
        location: p.location,
        isp: p.isp,
        allowIPs: p.allowIPs,
        groupIds: p.groupIds,
        isOn: p.isOn,
      })
    ),
    remove: db.query((q, p: { id: bigint }) => update(q, p.id).set({ state: 0n, isActive: false })),
    byUniqueId: db.query((q, p: { uniqueId: string }) => live(q).where("uniqueId", "=", p.uniqueId)),
    setStatus: db.query((
      q,
      p:
        & Pick<ReportNodeRow, "id" | "statusJSON" | "statusIP" | "statusLocation" | "statusISP">
        & { statusUpdatedAt: bigint },
    ) =>
      update(q, p.id).set({
        statusJSON: p.statusJSON,
        statusIP: p.statusIP,
        statusLocation: p.statusLocation,
        statusISP: p.statusISP,
        statusUpdatedAt: p.statusUpdatedAt,
        isActive: true,
      })
    ),
    setActive: db.query((q, p: { id: bigint; isActive: boolean }) => update(q, p.id).set({ isActive: p.isActive })),
    /** Who was silent since `before` is not active any more. */
    turnSilentOff: db.query((q, p: { before: bigint }) =>
      q.updateTable("reportNodes").set({ isActive: false }).where(isLive).where(sql<SqlBool>`isActive = 1`)
        .where("statusUpdatedAt", "<", p.before)
    ),
    ofGroup: db.query((q, p: { reportNodeGroupId: bigint; limit: number }) =>
      q.selectFrom("reportNodeGroupLinks").innerJoin("reportNodes", "reportNodes.id", "reportNodeId")
        .select("reportNodes.name").where("reportNodeGroupId", "=", p.reportNodeGroupId).limit(p.limit)
    ),
    setting: db.query((q) => q.selectFrom("reportNodeSettings").select("settingJSON").where("id", "=", sql.lit(1n))),
    setSetting: db.query((q, p: { settingJSON: Uint8Array }) =>
      q.replaceInto("reportNodeSettings").values({ id: 1n, settingJSON: p.settingJSON })
    ),
    notices: db.query((q) => q.selectFrom("reportNodeNotices").select("addrId")),
    addNotices: db.query((q, p: { addrIds: bigint[]; toldAt: bigint }) =>
      q.insertInto("reportNodeNotices").columns(["addrId", "toldAt"]).expression((e) =>
        e.selectFrom(sql<{ value: bigint }>`json_each(${p.addrIds})`.as("item"))
          .select(["item.value as addrId", sql<bigint>`${p.toldAt}`.as("toldAt")])
          // without it SQLite takes what follows for a join
          .where(sql<SqlBool>`true`)
      ).onConflict((conflict) => conflict.doNothing())
    ),
    removeNotices: db.query((q, p: { addrIds: bigint[] }) =>
      q.deleteFrom("reportNodeNotices").where("addrId", "in", anyOf(p.addrIds))
    ),
    /** Statements and values for a filter, and whether they must run away from the event loop. */
    prepare(filter: Filter, page: Page = { offset: 0n, size: 0n }) {
      const run = filter.keyword === "" ? "all" as const : "scan" as const;
      return { ...statementsFor(filter), run, values: { ...filter, ...page, pattern: containing(filter.keyword) } };
    },
  };
}

export type ReportNodeStore = ReturnType<typeof reportNodeStore>;
