import { anyOf, type Call, type Db, type Page } from "edgehelm";
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
  const live = (q: Kysely<Tables>) => q.selectFrom("sslCerts").where("state", "=", 1n);
  const count = (q: Kysely<Tables>) => live(q).select((e) => e.fn.countAll<bigint>().as("count"));
  const rows = (q: Kysely<Tables>) => live(q).selectAll().orderBy("id", "desc");
  const matches = (p: Filter) =>
    sql<SqlBool>`${p.userId} in (0, userId) and isCA >= ${p.isCA} and (userId > 0) >= ${p.userOnly}
      and timeEndAt >= ${p.endFrom} and timeEndAt <= ${p.endTo} and timeBeginAt <= ${p.beginTo}
      and (name like ${p.pattern} escape '\\' or description like ${p.pattern} escape '\\'
        or dnsNames like ${p.pattern} escape '\\' or commonNames like ${p.pattern} escape '\\')`;
  const named = (p: Filter) => sql<SqlBool>`id in (select sslCertId from sslCertNames where name in ${anyOf(p.names)})`;

  const all = {
    page: db.query((q, p: Filter & Page) => rows(q).limit(p.size).offset(p.offset)),
    count: db.query((q, _p: Filter) => count(q)),
  };
  const ofUser = {
    page: db.query((q, p: Filter & Page) => rows(q).where("userId", "=", p.userId).limit(p.size).offset(p.offset)),
    count: db.query((q, p: Filter) => count(q).where("userId", "=", p.userId)),
  };
  const matching = {
    page: db.query((q, p: Filter & Page) => rows(q).where(matches(p)).limit(p.size).offset(p.offset)),
    count: db.query((q, p: Filter) => count(q).where(matches(p))),
  };
  const matchingNamed = {
    page: db.query((q, p: Filter & Page) => rows(q).where(named(p)).where(matches(p)).limit(p.size).offset(p.offset)),
    count: db.query((q, p: Filter) => count(q).where(named(p)).where(matches(p))),
  };

  /** The statements that serve a filter; what no index bounds runs apart from the event loop. */
  function statementsFor(filter: Filter) {
    if (filter.names.length > 0) return { ...matchingNamed, run: "scan" as const };
    const isPlain = !filter.isCA && !filter.userOnly && filter.pattern === "%%" && filter.endFrom === 0n &&
      filter.endTo === EVER && filter.beginTo === EVER;
    if (!isPlain) return { ...matching, run: "scan" as const };
    return { ...(filter.userId === 0n ? all : ofUser), run: "all" as const };
  }

  return {
    async page(call: Call, filter: Filter, { offset, size }: Page): Promise<SSLCertRow[]> {
      const { page, run } = statementsFor(filter);
      return await page[run](call, { ...filter, offset, size });
    },
    async count(call: Call, filter: Filter): Promise<bigint> {
      const { count, run } = statementsFor(filter);
      return (await count[run](call, filter))[0]!.count;
    },
  };
}

export type SSLCertLists = ReturnType<typeof sslCertLists>;
