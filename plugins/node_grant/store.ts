import { anyOf, type Db, type Flag, liveRows, type Page, rowCount } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import { type Kysely, type Selectable, sql } from "kysely";
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

export type NodeGrantRow = Selectable<Tables["nodeGrants"]>;

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

/** Returns the statements of this plugin. */
export function nodeGrantStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("nodeGrants").where("state", "=", 1n);
  const newestFirst = (q: Kysely<Tables>) => live(q).selectAll().orderBy("id", "desc");
  const countLive = (q: Kysely<Tables>) => live(q).select(rowCount);
  const matches = (p: { pattern: string }) =>
    sql<boolean>`(name like ${p.pattern} escape '\\' or username like ${p.pattern} escape '\\'
      or description like ${p.pattern} escape '\\')`;

  return {
    ...liveRows(db, "nodeGrants", errors.not_found),
    insert: db.insert("nodeGrants", [...SETTINGS, "sealedFor"]),
    update: db.update("nodeGrants", SETTINGS),
    // The secrets of a deleted grant must not stay in the database.
    remove: db.query((q, p: { id: bigint }) =>
      q.updateTable("nodeGrants").set({ state: 0n, password: "", privateKey: "", passphrase: "" })
        .where("id", "=", p.id)
    ),
    byIds: db.query((q, p: { ids: bigint[] }) => newestFirst(q).where("id", "in", anyOf(p.ids))),
    all: db.query((q) => newestFirst(q)),
    count: db.query((q) => countLive(q)),
    page: db.query((q, p: Page) => newestFirst(q).limit(p.size).offset(p.offset)),
    countMatching: db.query((q, p: { pattern: string }) => countLive(q).where(matches(p))),
    pageMatching: db.query((q, p: Page & { pattern: string }) =>
      newestFirst(q).where(matches(p)).limit(p.size).offset(p.offset)
    ),
  };
}

export type NodeGrantStore = ReturnType<typeof nodeGrantStore>;
