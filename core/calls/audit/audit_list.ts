import { sql, type SqlBool } from "kysely";
import type { Call } from "../../base/call.ts";
import type { TimeSpan } from "../../fields/calendar.ts";
import type { Page } from "../../fields/page.ts";
import type { Db } from "../../storage/database.ts";
import type { KernelTables } from "../../storage/kernel_tables.ts";
import { memoizeByShape } from "../../storage/memoize_by_shape.ts";
import { anyOf, containing } from "../../storage/parameters.ts";
import type { AuditRow } from "./chain.ts";

/** The number of records that a list goes back, within its days. */
export const MAX_LISTED = 10_000;
const END_OF_TIME = 2n ** 53n;

/** The severities of records: refused calls are warnings, failures of the server are errors. */
export const AUDIT_LEVELS = ["info", "warn", "error"] as const;
/** The severity of a record in one word. */
export type AuditLevel = (typeof AUDIT_LEVELS)[number];

/** Selects records. Members that are absent, empty or 0 select all. */
export interface AuditFilter extends Partial<TimeSpan> {
  readonly role?: string | undefined;
  readonly callerId?: bigint | undefined;
  /** The path, such as `/NSDomainService/createNSDomain`, or its last part. */
  readonly operation?: string | undefined;
  /** An object, such as `nsDomains/7`. */
  readonly object?: string | undefined;
  readonly level?: AuditLevel | "" | undefined;
  /** A part of the caller, key, address, request id, operation, objects or reason. */
  readonly keyword?: string | undefined;
  /** An operation whose records are left out. */
  readonly except?: string | undefined;
}

const MEMBERS = ["role", "callerId", "operation", "object", "level", "keyword", "except"] as const;
type Member = (typeof MEMBERS)[number];
type Values = TimeSpan & { [Name in Member]: string | bigint } & { operationEnd: string };

const LEVEL = sql<string>`case when code < 400 then 'info' when code < 500 then 'warn' else 'error' end`;
const SEARCHED =
  sql`role || '/' || callerId || ' ' || keyId || ' ' || address || ' ' || requestId || ' ' || callerRequestId || ' ' ||
    operation || ' ' || objects || ' ' || reason`;
/** The conditions of the members of a filter. */
const CONDITIONS: { [Name in Member]: (p: Values) => ReturnType<typeof sql<SqlBool>> } = {
  role: (p) => sql`role = ${p.role}`,
  callerId: (p) => sql`callerId = ${p.callerId}`,
  operation: (p) => sql`(operation = ${p.operation} or operation like ${p.operationEnd} escape '\\')`,
  object: (p) => sql`' ' || objects || ' ' like ${p.object} escape '\\'`,
  level: (p) => sql`${LEVEL} = ${p.level}`,
  keyword: (p) => sql`${SEARCHED} like ${p.keyword} escape '\\'`,
  except: (p) => sql`operation <> ${p.except}`,
};

/** Reads the audit log by time, the newest record first. */
export class AuditList {
  readonly #statements;
  readonly #byIds;
  readonly #after;

  constructor(db: Db<KernelTables>) {
    this.#statements = memoizeByShape(
      (filter: AuditFilter) => membersOf(filter),
      (filter: AuditFilter) => statementsOf(db, membersOf(filter)),
    );
    this.#byIds = db.query((q, p: { ids: readonly bigint[] }) =>
      q.selectFrom("kernel_audit").selectAll().where("id", "in", anyOf(p.ids))
    );
    this.#after = db.query((q, p: { after: bigint; limit: number }) =>
      q.selectFrom("kernel_audit").select(["id", "createdAt", "objects", "erasedAt"]).where("id", ">", p.after)
        .orderBy("id").limit(p.limit)
    );
  }

  /** Returns records of a page, of at most the newest {@link MAX_LISTED} of the days. */
  async page(call: Call, filter: AuditFilter, page: Page): Promise<AuditRow[]> {
    return await this.#statements(filter).page.all(call, { ...valuesOf(filter), ...page });
  }

  /** Returns the number of records that pages contain. */
  async count(call: Call, filter: AuditFilter): Promise<bigint> {
    return (await this.#statements(filter).count.one(call, valuesOf(filter))).n;
  }

  /** Returns those records of these ids that exist. */
  async find(call: Call, ids: readonly bigint[]): Promise<AuditRow[]> {
    return await this.#byIds.all(call, { ids });
  }

  /** Returns a few members of the next records after an id, the oldest first. */
  async after(call: Call, after: bigint, limit: number) {
    return await this.#after.all(call, { after, limit });
  }

  /** The statements of a filter without members, for checks of their plans. */
  get statements() {
    return this.#statements({});
  }
}

function membersOf(filter: AuditFilter): Member[] {
  return MEMBERS.filter((name) => filter[name]);
}

function valuesOf(filter: AuditFilter): Values {
  const { from = 0n, to = END_OF_TIME, role = "", callerId = 0n, operation = "", level = "", except = "" } = filter;
  return {
    ...{ from, to, role, callerId, operation, level, except },
    operationEnd: operation === "" ? "" : containing(`/${operation}`, "operation").slice(0, -1),
    object: filter.object ? containing(` ${filter.object} `, "object") : "",
    keyword: filter.keyword ? containing(filter.keyword) : "",
  };
}

function statementsOf(db: Db<KernelTables>, members: readonly Member[]) {
  const selected = (p: Values) =>
    sql<SqlBool>`${
      sql.join(
        [
          // Reads only the index, as far as the oldest record that is listed.
          sql`createdAt >= coalesce((select createdAt from kernel_audit where createdAt >= ${p.from} and
            createdAt < ${p.to} order by createdAt desc limit 1 offset ${sql.lit(MAX_LISTED - 1)}), ${p.from})`,
          sql`createdAt < ${p.to}`,
          ...members.map((name) => CONDITIONS[name](p)),
        ],
        sql` and `,
      )
    }`;
  return {
    page: db.query((q, p: Values & Page) =>
      q.selectFrom("kernel_audit").selectAll().where(selected(p)).orderBy("createdAt", "desc").orderBy("id", "desc")
        .limit(p.size).offset(p.offset)
    ),
    count: db.query((q, p: Values) =>
      q.selectFrom("kernel_audit").select((e) => e.fn.countAll<bigint>().as("n")).where(selected(p))
    ),
  };
}
