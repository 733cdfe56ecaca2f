import { type Db, type Page, rowCount } from "edgehelm";
import { type Generated, type Selectable, sql } from "kysely";

export interface Tables {
  formalClientBrowsers: {
    id: Generated<bigint>;
    name: string;
    /** One code per line. */
    codes: string;
    dataId: string;
  };
}

export type FormalClientBrowserRow = Selectable<Tables["formalClientBrowsers"]>;
type Fields = Omit<FormalClientBrowserRow, "id">;

/** Defines all SQL statements of this plugin. Browsers are never deleted. */
export function formalClientBrowserStore(db: Db<Tables>) {
  const matches = (p: { pattern: string }) => sql<boolean>`codes like ${p.pattern} escape '\\'`;

  return {
    insert: db.insertUnique("formalClientBrowsers", ["name", "codes", "dataId"]),
    update: db.update("formalClientBrowsers", ["name", "codes", "dataId"]),
    byDataId: db.query((q, p: { dataId: string }) =>
      q.selectFrom("formalClientBrowsers").selectAll().where("dataId", "=", p.dataId)
    ),
    page: db.query((q, p: Page) =>
      q.selectFrom("formalClientBrowsers").selectAll().orderBy("id", "desc").limit(p.size).offset(p.offset)
    ),
    count: db.query((q) => q.selectFrom("formalClientBrowsers").select(rowCount)),
    // A substring search cannot use an index, so these run outside the event loop.
    pageMatching: db.query((q, p: Page & { pattern: string }) =>
      q.selectFrom("formalClientBrowsers").selectAll().where(matches(p)).orderBy("id", "desc").limit(p.size)
        .offset(p.offset)
    ),
    countMatching: db.query((q, p: { pattern: string }) =>
      q.selectFrom("formalClientBrowsers").select(rowCount).where(matches(p))
    ),
  };
}

export type FormalClientBrowserStore = ReturnType<typeof formalClientBrowserStore>;
