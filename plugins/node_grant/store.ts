import { anyOf, type Db, type Flag, isLive, liveRows } from "edgehelm";
import { type LiveTable, rowList } from "edgehelm/rows";
import { errors } from "./errors.ts";

export interface Tables {
  nodeGrants: LiveTable<{
    /** The row name for the sealer, which is chosen before the row has an id. */
    sealedFor: string;
    name: string;
    method: string;
    username: string;
    password: string;
    privateKey: string;
    passphrase: string;
    su: Flag;
    description: string;
    nodeId: bigint;
  }>;
}

/** The settings of a grant without its secrets. */
export interface GrantFields {
  readonly name: string;
  readonly method: "user" | "privateKey";
  readonly username: string;
  readonly su: boolean;
  readonly description: string;
  readonly nodeId: bigint;
}

const SETTINGS = [
  "name",
  "method",
  "username",
  "password",
  "privateKey",
  "passphrase",
  "su",
  "description",
  "nodeId",
] as const;

export type NodeGrantStore = ReturnType<typeof nodeGrantStore>;

export function nodeGrantStore(db: Db<Tables>) {
  return {
    ...liveRows(db, "nodeGrants", errors.not_found),
    insert: db.insert("nodeGrants", [...SETTINGS, "sealedFor"]),
    update: db.update("nodeGrants", SETTINGS),
    // The secrets of a deleted grant must not stay in the database.
    remove: db.update("nodeGrants", [], { state: 0n, password: "", privateKey: "", passphrase: "" }),
    byIds: db.query((q, p: { ids: bigint[] }) =>
      q.selectFrom("nodeGrants").selectAll().where(isLive).where("id", "in", anyOf(p.ids)).orderBy("id", "desc")
    ),
    list: rowList(db, "nodeGrants", { contains: ["name", "username", "description"], order: { id: "desc" } }),
  };
}
