import { type Db, type Flag, isLive, liveRows, type Page, rowCount } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import { type Generated, type Kysely, type Selectable, sql } from "kysely";
import { errors } from "./errors.ts";

/** The statuses of a message. */
export const QUEUED = 0n;
export const SENDING = 1n;
export const SENT = 2n;
export const FAILED = 3n;

/** The kinds of targets whose messages are dropped. */
export const RECIPIENT = 1n;
export const INSTANCE = 2n;

export interface Tables {
  messageTasks: LiveTable<{
    /** 0 if the target is an instance and a user. */
    messageRecipientId: bigint;
    messageMediaInstanceId: bigint;
    user: string;
    subject: string;
    body: string;
    isPrimary: Flag;
    /** Identifies duplicates. */
    hash: string;
    status: Generated<bigint>;
    startedAt: Generated<bigint>;
    sentAt: Generated<bigint>;
    error: Generated<string>;
    response: Generated<string>;
    /** The attempts that failed and are repeated. */
    attempts: Generated<bigint>;
    /** The time of the next attempt; 0 means at once. */
    dueAt: Generated<bigint>;
    /** The text of a confidential message with its secret, until it is sent. */
    sealedText: Generated<string>;
    /** The permanent name for which the text is sealed; empty if the message is not confidential. */
    sealedPlace: Generated<string>;
    /** The time from which a confidential message is not sent any more. */
    expiresAt: Generated<bigint>;
    createdAt: bigint;
  }>;
  messageTaskCounts: { status: bigint; n: bigint };
  messageTaskDrops: { kind: bigint; targetId: bigint };
}

export type MessageTaskRow = Selectable<Tables["messageTasks"]>;

/** Defines all SQL statements of this plugin. */
export function messageTaskStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("messageTasks").selectAll().where(isLive);
  const dropOf = (column: "messageRecipientId" | "messageMediaInstanceId") =>
    db.query((q, p: { targetId: bigint; limit: number }) =>
      q.updateTable("messageTasks").set({ state: 0n }).where(
        "id",
        "in",
        (batch) =>
          batch.selectFrom("messageTasks").select("id").where(isLive).where(column, "=", p.targetId).limit(p.limit),
      )
    );

  return {
    ...liveRows(db, "messageTasks", errors.not_found),
    insert: db.insert("messageTasks", [
      "messageRecipientId",
      "messageMediaInstanceId",
      "user",
      "subject",
      "body",
      "isPrimary",
      "hash",
      "sealedText",
      "sealedPlace",
      "expiresAt",
      "createdAt",
    ]),
    duplicate: db.query((q, p: { hash: string; since: bigint }) =>
      q.selectFrom("messageTasks").select("id").where("hash", "=", p.hash).where("createdAt", ">", p.since)
        .limit(sql.lit(1))
    ),
    ofStatus: db.query((q, p: Page & { status: bigint }) =>
      live(q).where("status", "=", p.status).orderBy("isPrimary", "desc").orderBy("id").limit(p.size).offset(p.offset)
    ),
    /** Selects the queued messages after a message, in sending order. */
    queuedAfter: db.query((q, p: { isPrimary: bigint; id: bigint; now: bigint; limit: number }) =>
      live(q).where("status", "=", sql.lit(QUEUED)).where("dueAt", "<=", p.now)
        .where((e) =>
          e.or([e("isPrimary", "<", p.isPrimary), e.and([e("isPrimary", "=", p.isPrimary), e("id", ">", p.id)])])
        )
        .orderBy("isPrimary", "desc").orderBy("id").limit(p.limit)
    ),
    countOfStatus: db.query((q, p: { status: bigint }) =>
      q.selectFrom("messageTaskCounts").select("n as count").where("status", "=", p.status)
    ),
    /** Counts the messages that were sent through an instance since a time. */
    countSent: db.query((q, p: { messageMediaInstanceId: bigint; since: bigint }) =>
      q.selectFrom("messageTasks").select(rowCount)
        .where("messageMediaInstanceId", "=", p.messageMediaInstanceId).where("startedAt", ">", p.since)
    ),
    /** Claims a queued message; changes no row if another instance of the server claimed it. */
    claim: db.query((q, p: { id: bigint; startedAt: bigint }) =>
      q.updateTable("messageTasks").set({ status: SENDING, startedAt: p.startedAt }).where("id", "=", p.id)
        .where(isLive).where("status", "=", sql.lit(QUEUED))
    ),
    /** Stores the result of an attempt; changes no row if the message is no longer in sending. */
    finish: db.query((q, p: Pick<MessageTaskRow, "id" | "status" | "sentAt" | "dueAt" | "error" | "response">) =>
      q.updateTable("messageTasks").set((e) => ({
        status: p.status,
        sentAt: p.sentAt,
        dueAt: p.dueAt,
        error: p.error,
        response: p.response,
        attempts: e("attempts", "+", sql.lit(1n)),
      })).where("id", "=", p.id).where("status", "=", sql.lit(SENDING))
    ),
    /** Selects confidential messages that are no longer of use. */
    expired: db.query((q, p: { now: bigint; limit: number }) =>
      q.selectFrom("messageTasks").select("id").where("status", "=", sql.lit(QUEUED))
        .where("sealedText", "<>", sql.lit("")).where("expiresAt", "<=", p.now).orderBy("expiresAt").limit(p.limit)
    ),
    /** Ends a queued message without an attempt. */
    expire: db.query((q, p: { id: bigint; sentAt: bigint; error: string }) =>
      q.updateTable("messageTasks").set({ status: FAILED, sentAt: p.sentAt, dueAt: 0n, error: p.error })
        .where("id", "=", p.id).where("status", "=", sql.lit(QUEUED))
    ),
    timedOut: db.query((q, p: { before: bigint; limit: number }) =>
      live(q).where("status", "=", sql.lit(SENDING))
        .where("startedAt", "<", p.before).limit(p.limit)
    ),
    setStatus: db.update("messageTasks", ["status", "startedAt", "sentAt"]),
    clearResult: db.update("messageTasks", [], { error: "", response: "", attempts: 0n, dueAt: 0n }),
    purge: db.query((q, p: { before: bigint; limit: number }) =>
      q.deleteFrom("messageTasks").where(
        "id",
        "in",
        (batch) => batch.selectFrom("messageTasks").select("id").where("createdAt", "<", p.before).limit(p.limit),
      )
    ),
    queueDrop: db.query((q, p: Tables["messageTaskDrops"]) =>
      q.insertInto("messageTaskDrops").values({ kind: p.kind, targetId: p.targetId }).onConflict((conflict) =>
        conflict.doNothing()
      )
    ),
    nextDrop: db.query((q) => q.selectFrom("messageTaskDrops").selectAll().limit(sql.lit(1))),
    endDrop: db.query((q, p: Tables["messageTaskDrops"]) =>
      q.deleteFrom("messageTaskDrops").where("kind", "=", p.kind).where("targetId", "=", p.targetId)
    ),
    dropOfRecipient: dropOf("messageRecipientId"),
    dropOfInstance: dropOf("messageMediaInstanceId"),
  };
}

export type MessageTaskStore = ReturnType<typeof messageTaskStore>;
