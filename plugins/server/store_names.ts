import { anyOf, type Db } from "edgehelm";
import { sql, type SqlBool } from "kysely";
import type { Tables } from "./store.ts";

/** The SQL statements on the names of servers: which are used, and which admins have forbidden to users. */
export function nameStore(db: Db<Tables>) {
  return {
    /** Selects which of the names are used by servers of the cluster, with the owners of the servers. */
    holders: db.query((q, p: { nodeClusterId: bigint; names: readonly string[] }) =>
      q.selectFrom("serverNames").innerJoin("servers", "servers.id", "serverNames.serverId")
        .select(["serverNames.name", "serverNames.serverId", "servers.userId"])
        .where("serverNames.nodeClusterId", "=", p.nodeClusterId).where("serverNames.name", "in", anyOf(p.names))
    ),
    /** Selects which of the names servers of an owner have, the oldest first. */
    ofOwner: db.query((q, p: { userId: bigint; names: readonly string[] }) =>
      q.selectFrom("serverNames").innerJoin("servers", "servers.id", "serverNames.serverId")
        .select(["serverNames.name", "serverNames.serverId"])
        .where("servers.userId", "=", p.userId).where("servers.state", "=", sql.lit(1n))
        .where("serverNames.name", "in", anyOf(p.names)).orderBy("serverNames.serverId")
    ),
    /** Selects the values that a user must publish for names, except expired ones. */
    proofs: db.query((q, p: { userId: bigint; names: readonly string[]; now: bigint }) =>
      q.selectFrom("serverNameProofs").select(["name", "value"]).where("userId", "=", p.userId)
        .where("name", "in", anyOf(p.names)).where("expiresAt", ">", p.now)
    ),
    addProof: db.query((q, p: Tables["serverNameProofs"]) =>
      q.insertInto("serverNameProofs").values({
        userId: p.userId,
        name: p.name,
        value: p.value,
        expiresAt: p.expiresAt,
      })
    ),
    dropExpiredProofs: db.query((q, p: { now: bigint }) =>
      q.deleteFrom("serverNameProofs").where(sql<SqlBool>`(userId, name) in (
        select userId, name from serverNameProofs where expiresAt <= ${p.now} limit 1000)`)
    ),
    dropProofs: db.query((q, p: { userId: bigint; names: readonly string[] }) =>
      q.deleteFrom("serverNameProofs").where("userId", "=", p.userId).where("name", "in", anyOf(p.names))
    ),
    removeSomeProofs: db.query((q, p: { userId: bigint; limit: number }) =>
      q.deleteFrom("serverNameProofs").where("userId", "=", p.userId).where(
        "name",
        "in",
        (some) => some.selectFrom("serverNameProofs").select("name").where("userId", "=", p.userId).limit(p.limit),
      )
    ),
    forbidden: db.query((q, p: { reversedNames: readonly string[]; exceptServerId: bigint }) =>
      q.selectFrom("serverForbiddenNames").select("reversedName")
        .where("reversedName", "in", anyOf(p.reversedNames)).where("serverId", "<>", p.exceptServerId).limit(sql.lit(1))
    ),
    forbiddenBetween: db.query((q, p: { from: string; to: string; exceptServerId: bigint }) =>
      q.selectFrom((inner) =>
        inner.selectFrom("serverForbiddenNames").select(["reversedName", "serverId"])
          .where("reversedName", ">=", p.from).where("reversedName", "<", p.to)
          // more than one site has, so that another's name is among them
          .limit(sql.lit(100_000)).as("names")
      ).select("reversedName").where("serverId", "<>", p.exceptServerId).limit(sql.lit(1))
    ),
    forbid: db.query((q, p: { serverId: bigint; reversedNames: readonly string[] }) =>
      q.replaceInto("serverForbiddenNames").columns(["reversedName", "serverId"]).expression((e) =>
        e.selectFrom(sql<{ value: string }>`json_each(${p.reversedNames})`.as("item"))
          .select(["item.value as reversedName", sql<bigint>`${p.serverId}`.as("serverId")])
      )
    ),
    allow: db.query((q, p: { reversedNames: readonly string[] }) =>
      q.deleteFrom("serverForbiddenNames").where("reversedName", "in", anyOf(p.reversedNames))
    ),
    allowOf: db.query((q, p: { serverId: bigint }) =>
      q.deleteFrom("serverForbiddenNames").where("serverId", "=", p.serverId)
    ),
  };
}

export type NameStore = ReturnType<typeof nameStore>;
