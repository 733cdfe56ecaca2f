import { anyOf, type Call, type Db, isLive, type Page, rowCount } from "edgehelm";
import { memoizeByShape } from "edgehelm/storage";
import { type Kysely, sql, type SqlBool } from "kysely";
import type { SSLCertRow, Tables } from "./store.ts";

/** The filter of lists and counts. */
export interface Filter {
  /** 0 is the installation; undefined matches any. */
  readonly userId: bigint | undefined;
  readonly isCA: boolean;
  readonly userOnly: boolean;
  /** Created by `containing`; `%%` matches any. */
  readonly pattern: string;
  /** The range of timeEndAt, inclusive, and the maximum of timeBeginAt. */
  readonly endFrom: bigint;
  readonly endTo: bigint;
  readonly beginTo: bigint;
  /** Matches certificates with any of these names; an empty list matches any. */
  readonly names: string[];
}

/** Later than any date in a certificate. */
export const FAR_FUTURE = 2n ** 60n;

/** Lists certificates, newest first, and counts them. */
export function sslCertLists(db: Db<Tables>) {
  const statementsFor = memoizeByShape(shapeOf, (filter) => compile(db, shapeOf(filter)));
  // queries that no index bounds run outside the event loop
  const runMethod = (filter: Filter) => isFiltered(filter) ? "scan" as const : "all" as const;

  return {
    async page(call: Call, filter: Filter, { offset, size }: Page): Promise<SSLCertRow[]> {
      return await statementsFor(filter).page[runMethod(filter)](call, { ...filter, offset, size });
    },
    async count(call: Call, filter: Filter): Promise<bigint> {
      return (await statementsFor(filter).count[runMethod(filter)](call, filter))[0]!.count;
    },
  };
}

export type SSLCertLists = ReturnType<typeof sslCertLists>;

type Shape = readonly [ofUser: boolean, named: boolean, filtered: boolean];

function shapeOf(filter: Filter): Shape {
  return [filter.userId !== undefined, filter.names.length > 0, isFiltered(filter)];
}

function isFiltered({ isCA, userOnly, pattern, endFrom, endTo, beginTo }: Filter): boolean {
  return isCA || userOnly || pattern !== "%%" || endFrom !== 0n || endTo !== FAR_FUTURE || beginTo !== FAR_FUTURE;
}

function compile(db: Db<Tables>, [ofUser, named, filtered]: Shape) {
  const rows = (q: Kysely<Tables>, p: Filter) =>
    q.selectFrom("sslCerts").where(isLive)
      .$if(ofUser, (query) => query.where("userId", "=", p.userId!))
      .$if(named, (query) =>
        query.where("id", "in", (names) =>
          names.selectFrom("sslCertNames").select("sslCertId").where("name", "in", anyOf(p.names))))
      .$if(filtered, (query) =>
        query.where(matches(p)));
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
