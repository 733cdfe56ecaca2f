import { type Db, type DefaultFlag, isLive, liveRows } from "edgehelm";
import { type LiveTable, rowList } from "edgehelm/rows";
import type { Selectable } from "kysely";
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

const SETTINGS = ["name", "mediaType", "params", "paramsPlace", "description", "rateJSON", "hashLife"] as const;

/** Defines all SQL statements of this plugin. */
export function messageMediaInstanceStore(db: Db<Tables>) {
  return {
    ...liveRows(db, "messageMediaInstances", errors.not_found),
    insert: db.insert("messageMediaInstances", SETTINGS),
    update: db.update("messageMediaInstances", [...SETTINGS, "isOn"]),
    list: rowList(db, "messageMediaInstances", {
      equalIfSet: ["mediaType"],
      contains: ["name", "description"],
      order: { id: "desc" },
    }),
    ofType: db.query((q, p: { mediaType: string; limit: number }) =>
      q.selectFrom("messageMediaInstances").select("id").where(isLive).where("mediaType", "=", p.mediaType)
        .orderBy("id").limit(p.limit)
    ),
  };
}

export type MessageMediaInstanceStore = ReturnType<typeof messageMediaInstanceStore>;
