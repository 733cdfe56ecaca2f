import { type Db, type DefaultFlag, isLive, liveRows } from "edgehelm";
import { type LiveTable, rowList } from "edgehelm/rows";
import type { Selectable } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  orderMethods: LiveTable<{
    name: string;
    code: string;
    description: string;
    url: string;
    /** Sealed for `sealedFor`, like the parameters. */
    secret: string;
    params: string;
    sealedFor: string;
    parentCode: string;
    clientType: string;
    qrcodeTitle: string;
    isOn: DefaultFlag;
  }>;
}

export type OrderMethodRow = Selectable<Tables["orderMethods"]>;

const SETTINGS = ["name", "description", "url", "params", "clientType", "qrcodeTitle"] as const;

/** The SQL statements of this plugin. */
export function orderMethodStore(db: Db<Tables>) {
  return {
    ...liveRows(db, "orderMethods", errors.not_found),
    insert: db.insertUnique("orderMethods", [...SETTINGS, "code", "secret", "sealedFor", "parentCode"]),
    update: db.update("orderMethods", [...SETTINGS, "isOn"]),
    withCode: db.query((q, p: { code: string }) =>
      q.selectFrom("orderMethods").selectAll().where("code", "=", p.code).where(isLive)
    ),
    list: rowList(db, "orderMethods", { equalIfSet: ["isOn"], order: { id: "asc" } }),
  };
}

export type OrderMethodStore = ReturnType<typeof orderMethodStore>;
