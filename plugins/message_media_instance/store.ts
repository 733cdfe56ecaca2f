import { type Db, type DefaultFlag, isLive, liveRows, type Page, rowCount } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import { containing, memoizeByShape } from "edgehelm/storage";
import { type Kysely, type Selectable, sql, type SqlBool } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  messageMediaInstances: LiveTable<{
    name: string;
    mediaType: string;
    /** The sealed parameters, as JSON. */
    params: string;
    /** The place that the parameters are sealed for: a random name, since the id is unknown before the insert. */
    paramsPlace: string;
    description: string;
    rateJSON: Uint8Array | null;
    hashLife: bigint;
    isOn: DefaultFlag;
  }>;
}

export type InstanceRow = Selectable<Tables["messageMediaInstances"]>;

/** Selects instances for a list or a count; "" selects all. */
export interface Filter {
  readonly mediaType: string;
  readonly keyword: string;
}

type Values = Filter & Page & { readonly pattern: string };

const SETTINGS = ["name", "mediaType", "params", "paramsPlace", "description", "rateJSON", "hashLife"] as const;

/** Defines all SQL statements of this plugin. */
export function messageMediaInstanceStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("messageMediaInstances").where(isLive);
  const statementsFor = memoizeByShape(
    ({ mediaType, keyword }: Filter) => [mediaType !== "", keyword !== ""],
    ({ mediaType, keyword }) => {
      const matching = (q: Kysely<Tables>, p: Values) =>
        live(q).$if(mediaType !== "", (query) => query.where("mediaType", "=", p.mediaType))
          .$if(keyword !== "", (query) =>
            query.where(
              sql<SqlBool>`(name like ${p.pattern} escape '\\' or description like ${p.pattern} escape '\\')`,
            ));
      return {
        list: db.query((q, p: Values) =>
          matching(q, p).selectAll().orderBy("id", "desc").limit(p.size).offset(p.offset)
        ),
        count: db.query((q, p: Values) => matching(q, p).select(rowCount)),
      };
    },
  );

  return {
    ...liveRows(db, "messageMediaInstances", errors.not_found),
    insert: db.insert("messageMediaInstances", SETTINGS),
    update: db.update("messageMediaInstances", [...SETTINGS, "isOn"]),
    ofType: db.query((q, p: { mediaType: string; limit: number }) =>
      live(q).select("id").where("mediaType", "=", p.mediaType).orderBy("id").limit(p.limit)
    ),
    /** Returns the statements and values for a filter, and how to run them: `scan` runs outside the event loop. */
    prepare(filter: Filter, page: Page = { offset: 0n, size: 0n }) {
      const run = filter.keyword === "" ? "all" as const : "scan" as const;
      return { ...statementsFor(filter), run, values: { ...filter, ...page, pattern: containing(filter.keyword) } };
    },
  };
}

export type MessageMediaInstanceStore = ReturnType<typeof messageMediaInstanceStore>;
