import type { Db } from "edgehelm";
import type { NewUser, Tables } from "./store.ts";

/** The columns that updateUser sets, apart from username and password. */
export interface UserFields {
  readonly fullname: string;
  readonly mobile: string;
  readonly tel: string;
  readonly email: string;
  readonly remark: string;
  readonly isOn: boolean;
  readonly nodeClusterId: bigint;
  readonly bandwidthAlgo: string;
}

/** The SQL statements that change users. */
export function userChanges(db: Db<Tables>) {
  return {
    insert: db.query((q, p: NewUser) =>
      q.insertInto("users").values({
        username: p.username,
        password: p.password,
        fullname: p.fullname,
        mobile: p.mobile,
        tel: p.tel,
        email: p.email,
        remark: p.remark,
        source: p.source,
        registeredIP: p.registeredIP,
        nodeClusterId: p.nodeClusterId,
        isVerified: p.isVerified,
        createdAt: p.createdAt,
      }).onConflict((conflict) => conflict.doNothing()).returning("id")
    ),
    update: db.query((q, p: UserFields & { id: bigint }) =>
      q.updateTable("users").set({
        fullname: p.fullname,
        mobile: p.mobile,
        tel: p.tel,
        email: p.email,
        remark: p.remark,
        isOn: p.isOn,
        nodeClusterId: p.nodeClusterId,
        bandwidthAlgo: p.bandwidthAlgo,
      }).where("id", "=", p.id)
    ),
    setInfo: db.query((q, p: { id: bigint; fullname: string; mobile: string; email: string }) =>
      q.updateTable("users").set({ fullname: p.fullname, mobile: p.mobile, email: p.email }).where("id", "=", p.id)
    ),
    setUsername: db.query((q, p: { id: bigint; username: string }) =>
      q.updateTable("users").set({ username: p.username }).where("id", "=", p.id)
    ),
    setPassword: db.query((q, p: { id: bigint; password: string }) =>
      q.updateTable("users").set({ password: p.password }).where("id", "=", p.id)
    ),
    setVerified: db.query((q, p: { id: bigint; isVerified: boolean; isRejected: boolean; rejectReason: string }) =>
      q.updateTable("users")
        .set({ isVerified: p.isVerified, isRejected: p.isRejected, rejectReason: p.rejectReason })
        .where("id", "=", p.id)
    ),
    setFeatures: db.query((q, p: { id: bigint; featureCodes: string }) =>
      q.updateTable("users").set({ featureCodes: p.featureCodes }).where("id", "=", p.id)
    ),
    setPriceType: db.query((q, p: { id: bigint; priceType: string }) =>
      q.updateTable("users").set({ priceType: p.priceType }).where("id", "=", p.id)
    ),
    setPricePeriod: db.query((q, p: { id: bigint; pricePeriod: string }) =>
      q.updateTable("users").set({ pricePeriod: p.pricePeriod }).where("id", "=", p.id)
    ),
    setHasServers: db.query((q, p: { id: bigint; hasServers: boolean }) =>
      q.updateTable("users").set({ hasServers: p.hasServers }).where("id", "=", p.id)
    ),
    remove: db.query((q, p: { id: bigint }) => q.updateTable("users").set({ state: 0n }).where("id", "=", p.id)),
    beginRemoval: db.query((q, p: { id: bigint }) => q.insertInto("userRemovals").values({ userId: p.id })),
    nextRemoval: db.query((q) => q.selectFrom("userRemovals").select("userId").orderBy("userId").limit(1)),
    endRemoval: db.query((q, p: { userId: bigint }) => q.deleteFrom("userRemovals").where("userId", "=", p.userId)),
  };
}

export type UserChanges = ReturnType<typeof userChanges>;
