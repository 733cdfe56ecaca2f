import { type Call, type Db, isLive, type Page, rowCount } from "edgehelm";
import { memoizeByShape } from "edgehelm/storage";
import { type Kysely, sql, type SqlBool } from "kysely";
import type { Tables, TaskRow } from "./store_tables.ts";

/** The filter of lists and counts. */
export interface TaskFilter {
  /** Undefined matches the tasks of all users. */
  readonly userId: bigint | undefined;
  /** Created by `containing`; `%%` matches any. */
  readonly pattern: string;
  /** The range of the end of the certificate, inclusive. */
  readonly endFrom: bigint;
  readonly endTo: bigint;
}

/** Later than any date in a certificate. */
export const FAR_FUTURE = 2n ** 60n;

/** Lists tasks, newest first, and counts them. */
export function taskLists(db: Db<Tables>) {
  const statementsFor = memoizeByShape(shapeOf, (filter) => compile(db, shapeOf(filter)));
  // queries that no index bounds run outside the event loop
  const runMethod = (filter: TaskFilter) => isFiltered(filter) ? "scan" as const : "all" as const;
  return {
    async page(call: Call, filter: TaskFilter, { offset, size }: Page): Promise<TaskRow[]> {
      return await statementsFor(filter).page[runMethod(filter)](call, { ...filter, offset, size });
    },
    async count(call: Call, filter: TaskFilter): Promise<bigint> {
      return (await statementsFor(filter).count[runMethod(filter)](call, filter))[0]!.count;
    },
  };
}

export type TaskLists = ReturnType<typeof taskLists>;

type Shape = readonly [ofUser: boolean, filtered: boolean];

function shapeOf(filter: TaskFilter): Shape {
  return [filter.userId !== undefined, isFiltered(filter)];
}

function isFiltered({ pattern, endFrom, endTo }: TaskFilter): boolean {
  return pattern !== "%%" || endFrom !== 0n || endTo !== FAR_FUTURE;
}

function compile(db: Db<Tables>, [ofUser, filtered]: Shape) {
  const rows = (q: Kysely<Tables>, p: TaskFilter) =>
    q.selectFrom("acmeTasks").where(isLive)
      .$if(ofUser, (query) => query.where("userId", "=", p.userId!))
      .$if(!ofUser, (query) => query.where(sql<SqlBool>`userId > 0`))
      .$if(filtered, (query) =>
        query.where(sql<SqlBool>`timeEndAt >= ${p.endFrom} and timeEndAt <= ${p.endTo}
          and domains like ${p.pattern} escape '\\'`));
  return {
    page: db.query((q, p: TaskFilter & Page) =>
      rows(q, p).selectAll().orderBy("id", "desc").limit(p.size).offset(p.offset)
    ),
    count: db.query((q, p: TaskFilter) => rows(q, p).select(rowCount)),
  };
}
