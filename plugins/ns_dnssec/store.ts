import { anyOf, type Db, isLive } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import { declareFeed, feedRows } from "edgehelm/storage";
import type { Generated, Selectable } from "kysely";
import type { Role } from "./dnskey.ts";

/** The DS records that the parent of a domain had at the last check; empty before the first one. */
export type ParentStatus = "" | "none" | "present" | "missing" | "wrong";

export interface Tables {
  /** The domains that are signed. */
  nsDNSSECZones: LiveTable<{
    nsDomainId: bigint;
    /** A copy of the domain's cluster, updated when the domain moves. */
    nsClusterId: bigint;
    createdAt: bigint;
    /** The time of the next step of a job. */
    nextAt: bigint;
    /** The time at which the keys are erased; 0 if that is not asked for. */
    disableAt: Generated<bigint>;
    parentStatus: Generated<ParentStatus>;
    parentCheckedAt: Generated<bigint>;
    nextCheckAt: bigint;
    version: bigint;
  }>;
  nsDNSSECKeys: {
    id: Generated<bigint>;
    zoneId: bigint;
    role: Role;
    algorithm: bigint;
    keyTag: bigint;
    publicKey: string;
    /** The sealed private key. */
    privateKey: string;
    /** The random row name that the private key is sealed for, because the id is not known before the insertion. */
    keyPlace: string;
    publishAt: bigint;
    activeAt: bigint;
    /** 0 while it is not known when another key replaces this one; the same for its removal. */
    retireAt: Generated<bigint>;
    removeAt: Generated<bigint>;
    /** 1 when the owner was asked to publish the DS record. */
    isAnnounced: bigint;
  };
}

export type ZoneRow = Selectable<Tables["nsDNSSECZones"]>;
export type KeyRow = Selectable<Tables["nsDNSSECKeys"]>;

export const zoneFeed = declareFeed({
  table: "nsDNSSECZones",
  version: "version",
  scope: "nsClusterId",
  departures: "state",
});

/** Returns the statements of this plugin. */
export function dnssecStore(db: Db<Tables>) {
  return {
    ...feedRows(db, zoneFeed, {
      insert: ["nsDomainId", "nsClusterId", "createdAt", "nextAt", "nextCheckAt"],
      update: ["nextAt", "disableAt", "parentStatus"],
    }),
    ofDomain: db.query((q, p: { nsDomainId: bigint }) =>
      q.selectFrom("nsDNSSECZones").selectAll().where("nsDomainId", "=", p.nsDomainId).where(isLive)
    ),
    ofDomains: db.query((q, p: { nsDomainIds: readonly bigint[] }) =>
      q.selectFrom("nsDNSSECZones").selectAll().where("nsDomainId", "in", anyOf(p.nsDomainIds)).where(isLive)
    ),
    idsOfDomain: db.query((q, p: { nsDomainId: bigint; after: bigint; limit: number }) =>
      q.selectFrom("nsDNSSECZones").select("id").where("nsDomainId", "=", p.nsDomainId).where("id", ">", p.after)
        .where(isLive).orderBy("id").limit(p.limit)
    ),
    due: db.query((q, p: { now: bigint; limit: number }) =>
      q.selectFrom("nsDNSSECZones").select(["id", "nsDomainId"]).where("nextAt", "<=", p.now).where(isLive)
        .orderBy("nextAt").limit(p.limit)
    ),
    unchecked: db.query((q, p: { now: bigint; limit: number }) =>
      q.selectFrom("nsDNSSECZones").selectAll().where("nextCheckAt", "<=", p.now).where(isLive)
        .orderBy("nextCheckAt").limit(p.limit)
    ),
    setNext: db.query((q, p: { id: bigint; nextAt: bigint }) =>
      q.updateTable("nsDNSSECZones").set({ nextAt: p.nextAt }).where("id", "=", p.id)
    ),
    setCheck: db.query((q, p: { id: bigint; parentStatus: ParentStatus; now: bigint; nextCheckAt: bigint }) =>
      q.updateTable("nsDNSSECZones")
        .set({ parentStatus: p.parentStatus, parentCheckedAt: p.now, nextCheckAt: p.nextCheckAt })
        .where("id", "=", p.id).where(isLive)
    ),
    setNextCheck: db.query((q, p: { id: bigint; nextCheckAt: bigint }) =>
      q.updateTable("nsDNSSECZones").set({ nextCheckAt: p.nextCheckAt }).where("id", "=", p.id)
    ),
    insertKey: db.insert("nsDNSSECKeys", [
      "zoneId",
      "role",
      "algorithm",
      "keyTag",
      "publicKey",
      "privateKey",
      "keyPlace",
      "publishAt",
      "activeAt",
      "isAnnounced",
    ]),
    keysOf: db.query((q, p: { zoneIds: readonly bigint[] }) =>
      q.selectFrom("nsDNSSECKeys").selectAll().where("zoneId", "in", anyOf(p.zoneIds)).orderBy("zoneId").orderBy("id")
    ),
    retireKey: db.query((q, p: { id: bigint; retireAt: bigint; removeAt: bigint }) =>
      q.updateTable("nsDNSSECKeys").set({ retireAt: p.retireAt, removeAt: p.removeAt }).where("id", "=", p.id)
    ),
    announceKey: db.query((q, p: { id: bigint }) =>
      q.updateTable("nsDNSSECKeys").set({ isAnnounced: 1n }).where("id", "=", p.id)
    ),
    deleteKey: db.query((q, p: { id: bigint }) => q.deleteFrom("nsDNSSECKeys").where("id", "=", p.id)),
    deleteKeysOf: db.query((q, p: { zoneId: bigint }) => q.deleteFrom("nsDNSSECKeys").where("zoneId", "=", p.zoneId)),
  };
}

export type DNSSECStore = ReturnType<typeof dnssecStore>;
