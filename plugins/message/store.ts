import { anyOf, type Db, type Page } from "edgehelm";
import { type Generated, type Kysely, type Selectable, sql } from "kysely";

export interface Tables {
  messages: {
    id: Generated<bigint>;
    /** The user whom it is for; 0 if it is for admins. */
    userId: bigint;
    /** For admins: a JSON array of the modules of which one is enough; empty for super admins only. */
    modules: string;
    type: string;
    level: string;
    subject: string;
    body: string;
    paramsJSON: string;
    role: string;
    nodeClusterId: bigint;
    nodeId: bigint;
    createdAt: bigint;
  };
  /** Messages that a reader marked one by one. */
  messageReads: { role: string; readerId: bigint; messageId: bigint; isRead: bigint };
  /** Other messages with ids up to readThrough are read. */
  messageMarks: { role: string; readerId: bigint; readThrough: bigint };
}

export type MessageRow = Selectable<Tables["messages"]>;

/** A reader, with what they may see. */
export interface Reader {
  readonly role: "admin" | "user";
  readonly readerId: bigint;
  /** 0 for an admin. */
  readonly userId: bigint;
  /** 1 if the reader sees all messages of `userId`, otherwise 0. */
  readonly seesAll: bigint;
  /** The modules of an admin, as a JSON array. */
  readonly modules: string;
}

/** A count ends here: it is a number beside a bell. */
const MAX_COUNT = 1000;

/** Defines all SQL statements of this plugin. */
export function messageStore(db: Db<Tables>) {
  const isRead = (p: Reader) =>
    sql<bigint>`coalesce(
      (select isRead from messageReads
        where role = ${p.role} and readerId = ${p.readerId} and messageId = messages.id),
      messages.id <= coalesce((select readThrough from messageMarks
        where role = ${p.role} and readerId = ${p.readerId}), 0))`;
  const visible = (q: Kysely<Tables>, p: Reader) =>
    q.selectFrom("messages").where("userId", "=", p.userId).where(
      sql<boolean>`(${p.seesAll} = 1 or exists (select 1 from json_each(messages.modules) as needed
        join json_each(${p.modules}) as given on given.value = needed.value))`,
    );
  const listed = (q: Kysely<Tables>, p: Reader & { includeRead: bigint }) =>
    visible(q, p).where(sql<boolean>`(${p.includeRead} = 1 or not ${isRead(p)})`);

  return {
    insert: db.insert("messages", [
      "userId",
      "modules",
      "type",
      "level",
      "subject",
      "body",
      "paramsJSON",
      "role",
      "nodeClusterId",
      "nodeId",
      "createdAt",
    ]),
    list: db.query((q, p: Reader & Page & { includeRead: bigint }) =>
      listed(q, p).selectAll("messages").select(isRead(p).as("isRead")).orderBy("id", "desc")
        .limit(p.size).offset(p.offset)
    ),
    count: db.query((q, p: Reader & { includeRead: bigint }) =>
      q.selectFrom(listed(q, p).select("id").limit(sql.lit(MAX_COUNT)).as("found"))
        .select((e) => e.fn.countAll<bigint>().as("count"))
    ),
    newestId: db.query((q, p: { userId: bigint }) =>
      q.selectFrom("messages").select("id").where("userId", "=", p.userId).orderBy("id", "desc").limit(sql.lit(1))
    ),
    find: db.query((q, p: Reader & { id: bigint }) => visible(q, p).select("id").where("id", "=", p.id)),
    mark: db.query((q, p: Tables["messageReads"]) =>
      q.insertInto("messageReads")
        .values({ role: p.role, readerId: p.readerId, messageId: p.messageId, isRead: p.isRead })
        .onConflict((conflict) => conflict.columns(["role", "readerId", "messageId"]).doUpdateSet({ isRead: p.isRead }))
    ),
    markThrough: db.query((q, p: Tables["messageMarks"]) =>
      q.insertInto("messageMarks").values({ role: p.role, readerId: p.readerId, readThrough: p.readThrough })
        .onConflict((conflict) => conflict.columns(["role", "readerId"]).doUpdateSet({ readThrough: p.readThrough }))
    ),
    clearReads: db.query((q, p: Pick<Reader, "role" | "readerId">) =>
      q.deleteFrom("messageReads").where("role", "=", p.role).where("readerId", "=", p.readerId)
    ),
    expired: db.query((q, p: { before: bigint; limit: number }) =>
      q.selectFrom("messages").select("id").where("createdAt", "<", p.before).orderBy("createdAt").limit(p.limit)
    ),
    someOfUser: db.query((q, p: { userId: bigint; limit: number }) =>
      q.selectFrom("messages").select("id").where("userId", "=", p.userId).orderBy("id").limit(p.limit)
    ),
    remove: db.query((q, p: { ids: readonly bigint[] }) => q.deleteFrom("messages").where("id", "in", anyOf(p.ids))),
    removeReads: db.query((q, p: { ids: readonly bigint[] }) =>
      q.deleteFrom("messageReads").where("messageId", "in", anyOf(p.ids))
    ),
  };
}

export type MessageStore = ReturnType<typeof messageStore>;
