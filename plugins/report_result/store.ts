import { anyOf, type Db, type Flag, type Page, rowCount } from "edgehelm";
import { memoizeByShape, pick } from "edgehelm/storage";
import { type Generated, type Kysely, type Selectable, sql, type SqlBool } from "kysely";

export interface Tables {
  reportResults: {
    id: Generated<bigint>;
    type: string;
    targetId: bigint;
    targetDesc: string;
    reportNodeId: bigint;
    isOk: Flag;
    costMs: number;
    error: string;
    level: string;
    /** The number of consecutive successful results; 0 after a failed one. countDown counts failed ones. */
    countUp: bigint;
    countDown: bigint;
    updatedAt: bigint;
  };
}

export type ReportResultRow = Selectable<Tables["reportResults"]>;
export type NewResult =
  & Omit<ReportResultRow, "id" | "isOk" | "countUp" | "countDown">
  & { readonly isOk: boolean };

/** The filter of lists and counts; 0 and "" match any. */
export interface Filter {
  readonly reportNodeId: bigint;
  readonly okState: number;
  readonly level: string;
}

/** A limit above the number of report nodes. */
const MAX_OF_TARGET = 10_000;

const COLUMNS = [
  "type",
  "targetId",
  "targetDesc",
  "reportNodeId",
  "isOk",
  "costMs",
  "error",
  "level",
  "updatedAt",
] as const;

/** The SQL statements of this plugin. */
export function reportResultStore(db: Db<Tables>) {
  const statementsFor = memoizeByShape(
    ({ okState, level }: Filter) => [String(okState), level !== ""],
    ({ okState, level }) => {
      const matching = (q: Kysely<Tables>, p: Filter) =>
        q.selectFrom("reportResults").where("reportNodeId", "=", p.reportNodeId)
          .$if(okState !== 0, (query) => query.where("isOk", "=", okState === 1 ? 1n : 0n))
          .$if(level !== "", (query) => query.where("level", "=", p.level));
      return {
        list: db.query((q, p: Filter & Page) =>
          matching(q, p).selectAll().orderBy("isOk").orderBy("costMs", "desc").orderBy("id", "desc")
            .limit(p.size).offset(p.offset)
        ),
        count: db.query((q, p: Filter) => matching(q, p).select(rowCount)),
      };
    },
  );

  return {
    statementsFor,
    upsert: db.query((q, p: NewResult) =>
      q.insertInto("reportResults").values({
        ...pick(p, COLUMNS),
        countUp: sql<bigint>`cast(${p.isOk} as integer)`,
        countDown: sql<bigint>`1 - cast(${p.isOk} as integer)`,
      }).onConflict((conflict) =>
        conflict.columns(["type", "targetId", "reportNodeId"]).doUpdateSet((e) => ({
          targetDesc: e.ref("excluded.targetDesc"),
          isOk: e.ref("excluded.isOk"),
          costMs: e.ref("excluded.costMs"),
          error: e.ref("excluded.error"),
          level: e.ref("excluded.level"),
          countUp: sql<bigint>`excluded.isOk * (countUp + 1)`,
          countDown: sql<bigint>`(1 - excluded.isOk) * (countDown + 1)`,
          updatedAt: e.ref("excluded.updatedAt"),
        }))
      )
    ),
    ofTarget: db.query((q, p: { type: string; targetId: bigint }) =>
      q.selectFrom("reportResults").selectAll().where("type", "=", p.type).where("targetId", "=", p.targetId)
        .orderBy("updatedAt", "desc").orderBy("id", "desc").limit(sql.lit(MAX_OF_TARGET))
    ),
    fresh: db.query((q, p: { type: string; targetIds: bigint[]; since: bigint }) =>
      q.selectFrom("reportResults").select(["targetId", "isOk", "costMs", "level"]).where("type", "=", p.type)
        .where("targetId", "in", anyOf(p.targetIds)).where(sql<SqlBool>`updatedAt >= ${p.since}`)
    ),
    freshOfTarget: db.query((q, p: { type: string; targetId: bigint; since: bigint }) =>
      q.selectFrom("reportResults").select(["reportNodeId", "isOk", "costMs", "level", "updatedAt"])
        .where("type", "=", p.type).where("targetId", "=", p.targetId)
        .where(sql<SqlBool>`updatedAt >= ${p.since}`).limit(sql.lit(MAX_OF_TARGET))
    ),
    removeOfNode: db.query((q, p: { reportNodeId: bigint }) =>
      q.deleteFrom("reportResults").where("reportNodeId", "=", p.reportNodeId)
    ),
    removeSomeBefore: db.query((q, p: { before: bigint; limit: number }) =>
      q.deleteFrom("reportResults").where(
        "id",
        "in",
        (query) => query.selectFrom("reportResults").select("id").where("updatedAt", "<", p.before).limit(p.limit),
      )
    ),
  };
}

export type ReportResultStore = ReturnType<typeof reportResultStore>;
