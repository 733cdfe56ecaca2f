import { anyOf, type Call, type Db, isLive, memoizeByShape, type Page, rowCount } from "edgehelm";
import { type Kysely, sql, type SqlBool } from "kysely";
import type { SSLCertRow, Tables } from "./store.ts";

/** Which certificates a list or a count takes. */
export interface Filter {
  /** 0 for any. */
  readonly userId: bigint;
  readonly isCA: boolean;
  readonly userOnly: boolean;
  /** Made by `containing`; `%%` for any. */
  readonly pattern: string;
  /** When they end, both ends included, and when they begin at the latest. */
  readonly endFrom: bigint;
  readonly endTo: bigint;
  readonly beginTo: bigint;
  /** The names of which a certificate must have one; none for any. */
  readonly names: string[];
}

/** Dates beyond every certificate's. */
export const EVER = 2n ** 60n;

/** Lists and counts, newest first. */
export function sslCertLists(db: Db<Tables>) {
  const statementsFor = memoizeByShape(shapeOf, (filter) => compile(db, shapeOf(filter)));
  // what no index bounds runs apart from the event loop
  const wayOf = (filter: Filter) => isFiltered(filter) ? "scan" as const : "all" as const;

  return {
    async page(call: Call, filter: Filter, { offset, size }: Page): Promise<SSLCertRow[]> {
      return await statementsFor(filter).page[wayOf(filter)](call, { ...filter, offset, size });
    },
    async count(call: Call, filter: Filter): Promise<bigint> {
      return (await statementsFor(filter).count[wayOf(filter)](call, filter))[0]!.count;
    },
  };
}

export type SSLCertLists = ReturnType<typeof sslCertLists>;

type Shape = readonly [ofUser: boolean, named: boolean, filtered: boolean];

function shapeOf(filter: Filter): Shape {
  return [filter.userId !== 0n, filter.names.length > 0, isFiltered(filter)];
}

function isFiltered({ isCA, userOnly, pattern, endFrom, endTo, beginTo }: Filter): boolean {
  return isCA || userOnly || pattern !== "%%" || endFrom !== 0n || endTo !== EVER || beginTo !== EVER;
}

function compile(db: Db<Tables>, [ofUser, named, filtered]: Shape) {
  const rows = (q: Kysely<Tables>, p: Filter) =>
    q.selectFrom("sslCerts").where(isLive)
      .$if(ofUser, (one) => one.where("userId", "=", p.userId))
      .$if(named, (one) =>
        one.where("id", "in", (names) =>
          names.selectFrom("sslCertNames").select("sslCertId").where("name", "in", anyOf(p.names))))
      .$if(filtered, (one) =>
        one.where(matches(p)));
  return {
    page: db.query((q, p: Filter & Page) =>
      rows(q, p).selectAll().orderBy("id", "desc").limit(p.size).offset(p.offset)
    ),
    count: db.query((q, p: Filter) => rows(q, p).select(rowCount)),
  };
}

function matches(p: Filter) {
  return sql<SqlBool>`isCA >= ${p.isCA} and (userId > 0) >= ${p.userOnly}
    and timeEndAt >= ${p.endFrom} and timeEndAt <= ${p.endTo} and timeBeginAt <= ${p.beginTo}
    and (name like ${p.pattern} escape '\\' or description like ${p.pattern} escape '\\'
      or dnsNames like ${p.pattern} escape '\\' or commonNames like ${p.pattern} escape '\\')`;
}
