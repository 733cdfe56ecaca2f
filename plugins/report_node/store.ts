import { anyOf, type Db, type DefaultFlag, type Flag, liveRows, type Page, rowCount } from "edgehelm";
import { containing, memoizeByShape } from "edgehelm/storage";
import { type Generated, type Kysely, type Selectable, sql, type SqlBool } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  reportNodes: {
    id: Generated<bigint>;
    uniqueId: string;
    /** Encrypted with the installation key. */
    secret: string;
    name: string;
    location: string;
    isp: string;
    /** A JSON array. */
    allowIPs: string;
    isOn: DefaultFlag;
    isActive: DefaultFlag;
    statusJSON: Uint8Array | null;
    statusIP: Generated<string>;
    statusLocation: Generated<string>;
    statusISP: Generated<string>;
    statusUpdatedAt: Generated<bigint>;
    /** A JSON array; reportNodeGroupLinks is its inverse. */
    groupIds: string;
    createdAt: bigint;
    state: Generated<bigint>;
  };
  reportNodeGroupLinks: { reportNodeGroupId: bigint; reportNodeId: bigint };
  reportNodeSettings: {
    id: bigint;
    settingJSON: Uint8Array;
    /** The secret that signs web hooks, encrypted with the installation key; empty for none. */
    sealedSecret: Generated<string>;
    /** The number of notices that the web hook accepted. */
    noticeCount: Generated<bigint>;
  };
  reportNodeNotices: { addrId: bigint; toldAt: bigint };
  /** The addresses whose level is broken. */
  reportNodeOutages: {
    addrId: bigint;
    /** True if the address was up and was taken down for this. */
    isTakenDown: Flag;
    createdAt: bigint;
  };
}

export type ReportNodeRow = Selectable<Tables["reportNodes"]>;
export type NodeFields = Pick<ReportNodeRow, "name" | "location" | "isp" | "allowIPs" | "groupIds">;

/** The filter of lists and counts; 0 and "" match any. */
export interface Filter {
  readonly keyword: string;
  readonly reportNodeGroupId: bigint;
}

type Values = Filter & Page & { readonly pattern: string };

const SETTINGS = ["name", "location", "isp", "allowIPs", "groupIds"] as const;

const isLive = sql<SqlBool>`reportNodes.state = 1`;

/** The SQL statements of this plugin. */
export function reportNodeStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("reportNodes").selectAll().where(isLive);
  const matching = (q: Kysely<Tables>, p: Values, { keyword, reportNodeGroupId }: Filter) =>
    q.selectFrom("reportNodes").where(isLive)
      .$if(
        reportNodeGroupId !== 0n,
        (query) =>
          query.where("id", "in", (links) =>
            links.selectFrom("reportNodeGroupLinks").select("reportNodeId")
              .where("reportNodeGroupId", "=", p.reportNodeGroupId)),
      )
      .$if(
        keyword !== "",
        (query) =>
          query.where(sql<SqlBool>`(name like ${p.pattern} escape '\\' or location like ${p.pattern} escape '\\'
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
    insert: db.insert("reportNodes", [...SETTINGS, "uniqueId", "secret", "createdAt"]),
    update: db.updateLive("reportNodes", [...SETTINGS, "isOn"]),
    remove: db.updateLive("reportNodes", [], { state: 0n, isActive: false }),
    byUniqueId: db.query((q, p: { uniqueId: string }) => live(q).where("uniqueId", "=", p.uniqueId)),
    setStatus: db.updateLive(
      "reportNodes",
      ["statusJSON", "statusIP", "statusLocation", "statusISP", "statusUpdatedAt"],
      { isActive: true },
    ),
    setActive: db.updateLive("reportNodes", ["isActive"]),
    /** Marks report nodes inactive that have not reported since `before`. */
    markSilentInactive: db.query((q, p: { before: bigint }) =>
      q.updateTable("reportNodes").set({ isActive: false }).where(isLive).where(sql<SqlBool>`isActive = 1`)
        .where("statusUpdatedAt", "<", p.before)
    ),
    ofGroup: db.query((q, p: { reportNodeGroupId: bigint; limit: number }) =>
      q.selectFrom("reportNodeGroupLinks").innerJoin("reportNodes", "reportNodes.id", "reportNodeId")
        .select("reportNodes.name").where("reportNodeGroupId", "=", p.reportNodeGroupId).limit(p.limit)
    ),
    setting: db.query((q) =>
      q.selectFrom("reportNodeSettings").select(["settingJSON", "sealedSecret", "noticeCount"])
        .where("id", "=", sql.lit(1n))
    ),
    setSetting: db.query((q, p: { settingJSON: Uint8Array; sealedSecret: string }) => {
      const setting = { settingJSON: p.settingJSON, sealedSecret: p.sealedSecret };
      return q.insertInto("reportNodeSettings").values({ id: 1n, ...setting })
        .onConflict((conflict) => conflict.column("id").doUpdateSet(setting));
    }),
    countNotice: db.query((q) =>
      q.updateTable("reportNodeSettings").set((e) => ({ noticeCount: e("noticeCount", "+", sql.lit(1n)) }))
        .where("id", "=", sql.lit(1n))
    ),
    notices: db.query((q) => q.selectFrom("reportNodeNotices").select("addrId")),
    addNotices: db.query((q, p: { addrIds: bigint[]; notifiedAt: bigint }) =>
      q.insertInto("reportNodeNotices").columns(["addrId", "toldAt"]).expression((e) =>
        e.selectFrom(sql<{ value: bigint }>`json_each(${p.addrIds})`.as("item"))
          .select(["item.value as addrId", sql<bigint>`${p.notifiedAt}`.as("toldAt")])
          // without a where clause, SQLite would parse "on" as a join constraint
          .where(sql<SqlBool>`true`)
      ).onConflict((conflict) => conflict.doNothing())
    ),
    removeNotices: db.query((q, p: { addrIds: bigint[] }) =>
      q.deleteFrom("reportNodeNotices").where("addrId", "in", anyOf(p.addrIds))
    ),
    outages: db.query((q) => q.selectFrom("reportNodeOutages").select(["addrId", "isTakenDown"])),
    addOutage: db.query((q, p: { addrId: bigint; isTakenDown: boolean; createdAt: bigint }) =>
      q.insertInto("reportNodeOutages").values({
        addrId: p.addrId,
        isTakenDown: p.isTakenDown,
        createdAt: p.createdAt,
      })
    ),
    removeOutage: db.query((q, p: { addrId: bigint }) =>
      q.deleteFrom("reportNodeOutages").where("addrId", "=", p.addrId)
    ),
    /** Returns the statements and values for a filter; `run` is "scan" if they must run outside the event loop. */
    prepare(filter: Filter, page: Page = { offset: 0n, size: 0n }) {
      const run = filter.keyword === "" ? "all" as const : "scan" as const;
      return { ...statementsFor(filter), run, values: { ...filter, ...page, pattern: containing(filter.keyword) } };
    },
  };
}

export type ReportNodeStore = ReturnType<typeof reportNodeStore>;
